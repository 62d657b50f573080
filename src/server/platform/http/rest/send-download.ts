import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Request, Response } from "express";
import { localDate } from "../../../../shared/shanghai.ts";
import { toAppError } from "../../failures.ts";
import type { App } from "../../trpc/context.ts";
import type { Download } from "../../trpc/download.ts";
import { requestIdOf } from "../request-context.ts";

/** A caller who takes nothing of a file for so long is cut off. */
export const STALL_MS = 60_000;

interface SentDownload {
  readonly download: Download;
  /** The procedure. */
  readonly call: string;
}

/**
 * Sends a file as fast as the caller takes it, and ends when it was sent, could not be read to its
 * end, or nobody takes it any more. A file that breaks off must not look whole: the connection is
 * reset, since a mere end is what a proxy that speaks HTTP/1.0 takes for the end of the file.
 */
export async function sendDownload(
  { log, clock, stallMs }: App,
  request: Request,
  response: Response,
  { download, call }: SentDownload,
): Promise<void> {
  response.set({
    "Content-Type": "text/csv; charset=utf-8",
    "Content-Disposition": disposition(download, clock.now()),
  });
  if (request.method === "HEAD") {
    response.end();
    return;
  }

  // The caller has hung up before the file began.
  if (response.destroyed) return;

  // At once: the compression keeps them back until it has enough to compress.
  response.flushHeaders();
  response.setTimeout(stallMs, () => {
    // Otherwise it is the caller who waits, for rows that are long in coming.
    if (response.writableNeedDrain) request.socket.resetAndDestroy();
  });
  const text = resetOnFailure(download.read(), request);
  try {
    await pipeline(Readable.from(text, { objectMode: false }), response);
  } catch (error) {
    // A caller who hangs up.
    if (isHangUp(error)) return;

    const { code } = toAppError(error);
    const line = { call, requestId: requestIdOf(response), code, err: error };
    if (code === "INTERNAL") log.error(line, "unhandled error in a download");
    else log.warn(line, "download cut off");
  }
}

async function* resetOnFailure(
  text: AsyncIterable<string>,
  { socket }: Request,
): AsyncGenerator<string, void, undefined> {
  try {
    yield* text;
  } catch (error) {
    socket.resetAndDestroy();
    throw error;
  }
}

function isHangUp(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_STREAM_PREMATURE_CLOSE";
}

/** The name in ASCII is for programs that do not know the other (RFC 6266). */
function disposition({ file }: Download, now: number): string {
  const date = localDate(now);
  const name = encodeURIComponent(`${file.title}-${date}.csv`);
  return `attachment; filename="${file.name}-${date}.csv"; filename*=UTF-8''${name}`;
}
