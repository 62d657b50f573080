import { TRPCClientError } from "@trpc/client";
import type { AppRouter } from "../server/app-router.ts";
import { isErrorCode } from "../shared/error-kinds.ts";
import type { ErrorBody } from "../shared/errors.ts";
import { foreignAnswer } from "./foreign-answer.ts";
import type { Download, DownloadFilters, DownloadOptions } from "./public-types.ts";

/** A file may take any time, but it begins within that of any call. */
const BEGIN_TIMEOUT_MS = 30_000;

export interface DownloadServer {
  /** Address of the console, with a slash at its end. */
  readonly base: string;
  /** The bearer token at this moment; null while signed out. */
  readonly token: () => string | null;
}

export interface DownloadRequest<Name extends keyof DownloadFilters> extends DownloadOptions {
  readonly name: Name;
  readonly filter?: DownloadFilters[Name] | undefined;
}

/** Resolves when the file begins. Throws a `ConsoleError` when it does not. */
export async function openDownload<Name extends keyof DownloadFilters>(
  { base, token }: DownloadServer,
  { name, filter = {}, signal, onProgress }: DownloadRequest<Name>,
): Promise<Download> {
  const url = new URL(`api/${name}/export`, base);
  for (const [field, value] of Object.entries(filter)) {
    if (value !== undefined) url.searchParams.set(field, String(value));
  }

  const aborted = new AbortController();
  const ends = signal === undefined ? aborted.signal : AbortSignal.any([aborted.signal, signal]);
  const transfer = { aborted, ends };
  const response = await begin(url, token(), transfer);
  if (!response.ok) throw await failureOf(response, base);
  const { body } = response;
  if (body === null || !isCsv(response)) throw foreignAnswer(response, base);

  return {
    fileName: fileNameOf(response) ?? `${name}.csv`,
    content: contentOf(body, transfer, onProgress),
  };
}

interface Transfer {
  readonly aborted: AbortController;
  /** Aborted by either side. */
  readonly ends: AbortSignal;
}

async function begin(
  url: URL,
  bearer: string | null,
  { aborted, ends }: Transfer,
): Promise<Response> {
  const headers = new Headers();
  if (bearer !== null) headers.set("authorization", `Bearer ${bearer}`);

  const tooLate = new DOMException("The download did not begin in time", "TimeoutError");
  const timeout = setTimeout(() => aborted.abort(tooLate), BEGIN_TIMEOUT_MS);
  try {
    return await fetch(url, { headers, signal: ends });
  } catch (error) {
    throw consoleError(error);
  } finally {
    clearTimeout(timeout);
  }
}

/** Not by iterating the stream itself, which not every browser can. */
async function* contentOf(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  { aborted, ends }: Transfer,
  onProgress: DownloadOptions["onProgress"],
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
  const reader = body.getReader();
  let bytes = 0;
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      bytes += part.value.byteLength;
      onProgress?.(bytes);
      yield part.value;
    }
  } catch (cause) {
    if (ends.aborted) throw consoleError(cause);
    throw consoleError(new Error("The download broke off: the file is not whole", { cause }));
  } finally {
    // Ends the transfer when nobody reads it to its end.
    aborted.abort();
  }
}

export function consoleError(cause: unknown): TRPCClientError<AppRouter> {
  return TRPCClientError.from(cause instanceof Error ? cause : new Error(String(cause)));
}

function isCsv({ headers }: Response): boolean {
  return headers.get("content-type")?.startsWith("text/csv") === true;
}

/** The name in `filename*=UTF-8''…`. */
function fileNameOf({ headers }: Response): string | null {
  const disposition = headers.get("content-disposition") ?? "";
  const [, name] = /filename\*=UTF-8''([^;]+)/i.exec(disposition) ?? [];
  return name === undefined ? null : decodeURIComponent(name);
}

export async function failureOf(
  response: Response,
  url: string,
): Promise<TRPCClientError<AppRouter>> {
  const body: unknown = await response.json().catch(() => null);
  if (!isFailure(body)) return foreignAnswer(response, url);

  const { message, ...details } = body;
  const data = { ...details, httpStatus: response.status };
  return TRPCClientError.from({ error: { code: -32603, message, data } }, { meta: { response } });
}

function isFailure(body: unknown): body is ErrorBody {
  if (typeof body !== "object" || body === null) return false;
  return "message" in body && "code" in body && isErrorCode(body.code);
}
