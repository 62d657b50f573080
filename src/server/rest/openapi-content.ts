import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { Request, Response } from "express";

/** A file that never changes while the process lives, ready to be sent. */
export interface Content {
  readonly type: string;
  readonly etag: string;
  readonly plain: Buffer;
  readonly gzipped: Buffer;
}

export async function toContent(type: string, plain: Buffer): Promise<Content> {
  const etag = `W/"${createHash("sha256").update(plain).digest("base64url").slice(0, 22)}"`;
  return { type, etag, plain, gzipped: await promisify(gzip)(plain) };
}

/** Kept by the browser, asked for again each time; 304 when it is still the same. */
export function sendContent(request: Request, response: Response, { type, etag, plain, gzipped }: Content): void {
  const takesGzip = request.acceptsEncodings("gzip") === "gzip";
  response.vary("Accept-Encoding");
  response.set({ "Cache-Control": "no-cache", "Content-Type": type, ETag: etag });
  if (takesGzip) response.setHeader("Content-Encoding", "gzip");
  response.send(takesGzip ? gzipped : plain);
}
