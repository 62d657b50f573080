import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { extname, join, relative, sep } from "node:path";
import type { RequestHandler } from "express";

/** Content codings with the endings of the files that have them, the smaller one first. */
const CODINGS = [
  { coding: "br", ending: ".br" },
  { coding: "gzip", ending: ".gz" },
] as const;

interface BuiltFile {
  readonly path: string;
  readonly plain: Buffer;
  /** The same content in the codings that there are of it. */
  readonly packed: readonly { readonly coding: string; readonly body: Buffer }[];
  readonly etag: string;
}

/**
 * The built console. Its files are read once, at the start: where a new version is built under a
 * running server, that server goes on serving its own console until it is restarted. Read on
 * request, some files would be gone by then and others would be those of the new version.
 *
 * Files under /assets carry a hash in their names and never change. Every other address without an
 * ending is a page of the console, which finds out by itself what it shows.
 */
export function staticConsole(directory: string): RequestHandler {
  const files = readBuild(directory);
  const index = files.get("/index.html");
  if (index === undefined) {
    return (_request, response) => {
      response.status(503).type("text/plain").send("控制台尚未构建，请运行 npm run build 后重启");
    };
  }

  return (request, response, next) => {
    const file = files.get(request.path) ?? (isPage(request.path) ? index : undefined);
    if (file === undefined) {
      next();
      return;
    }

    const packed = file.packed.find(({ coding }) => request.acceptsEncodings(coding));
    if (packed !== undefined) response.set("Content-Encoding", packed.coding);
    response
      .type(extname(file.path))
      .set("Vary", "Accept-Encoding")
      .set("Cache-Control", cacheControlOf(file))
      .set("ETag", file.etag)
      .send(packed?.body ?? file.plain);
  };
}

/** By their paths in addresses; none where nothing has been built. */
function readBuild(directory: string): ReadonlyMap<string, BuiltFile> {
  const contents = new Map<string, Buffer>();
  for (const entry of listFiles(directory)) {
    const file = join(entry.parentPath, entry.name);
    contents.set(`/${relative(directory, file).replaceAll(sep, "/")}`, readFileSync(file));
  }

  const files = new Map<string, BuiltFile>();
  for (const [path, plain] of contents) {
    const packed = CODINGS.flatMap(({ coding, ending }) => {
      const body = contents.get(path + ending);
      return body === undefined ? [] : [{ coding, body }];
    });
    const hash = createHash("sha256").update(plain).digest("base64url");
    // Weak: one tag stands for the packed forms as well.
    files.set(path, { path, plain, packed, etag: `W/"${hash}"` });
  }
  return files;
}

function listFiles(directory: string) {
  try {
    const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile());
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}

/** Whether the address may be one of the console's pages: `/hosts`, not `/main.js`. */
function isPage(path: string): boolean {
  return !/\/[\w~$.-]+\.\w+$/.test(path);
}

function cacheControlOf({ path }: BuiltFile): string {
  return path.startsWith("/assets/") ? "public, max-age=31536000, immutable" : "no-cache";
}
