import { existsSync } from "node:fs";
import { join } from "node:path";
import type { RequestHandler } from "express";
import sirv from "sirv";

/**
 * The built console, precompressed. Files under /assets carry a hash in their names and never
 * change.
 */
export function staticConsole(directory: string): RequestHandler {
  if (!existsSync(join(directory, "index.html"))) {
    return (_request, response) => {
      response.status(503).type("text/plain").send("控制台尚未构建，请运行 npm run build 后重启");
    };
  }
  return sirv(directory, {
    brotli: true,
    gzip: true,
    etag: true,
    single: true,
    setHeaders(response, pathname) {
      const immutable = pathname.startsWith("/assets/");
      response.setHeader(
        "Cache-Control",
        immutable ? "public, max-age=31536000, immutable" : "no-cache",
      );
    },
  });
}
