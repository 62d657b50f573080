import { existsSync } from "node:fs";
import { join } from "node:path";
import type { RequestHandler } from "express";
import sirv from "sirv";

/** Types that are text; sirv names a charset for HTML only. */
const TEXT_TYPES = new Map([
  [".css", "text/css"],
  [".js", "text/javascript"],
  [".json", "application/json"],
  [".svg", "image/svg+xml"],
  [".txt", "text/plain"],
]);

/** The built console, precompressed. Files under /assets carry a hash in their names and never change. */
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
      // Names of this shape are a file or nothing: for others the page may be sent in their place.
      const type = TEXT_TYPES.get(/\/[\w.-]+(\.\w+)$/.exec(pathname)?.[1] ?? "");
      if (type !== undefined) response.setHeader("Content-Type", `${type}; charset=utf-8`);
      const immutable = pathname.startsWith("/assets/");
      response.setHeader("Cache-Control", immutable ? "public, max-age=31536000, immutable" : "no-cache");
    },
  });
}

/** The page that shows the API document, built from src/client/api-docs.html. */
export function docsPage(directory: string): RequestHandler {
  return (_request, response, next) => {
    response.setHeader("Cache-Control", "no-cache");
    response.sendFile("api-docs.html", { root: directory }, (error) => {
      if (error !== undefined && !response.headersSent) next();
    });
  };
}
