import type { ImportResult } from "../shared/imports.ts";
import { consoleError, type DownloadServer, failureOf } from "./download.ts";
import { foreignAnswer } from "./foreign-answer.ts";
import type { ConsoleClient, UploadOptions } from "./public-types.ts";

type UploadedFile = Parameters<ConsoleClient["upload"]>[1];

interface Upload extends UploadOptions {
  readonly name: Parameters<ConsoleClient["upload"]>[0];
  readonly file: UploadedFile;
}

/** Thousands of new users take minutes, so only the signal ends it. */
export async function uploadFile(
  { base, token }: DownloadServer,
  { name, file, dryRun = true, signal }: Upload,
): Promise<ImportResult> {
  const url = new URL(`api/${name}/import?dryRun=${dryRun}`, base);
  const headers = new Headers({ "content-type": "text/csv" });
  const bearer = token();
  if (bearer !== null) headers.set("authorization", `Bearer ${bearer}`);

  const request = { method: "POST", headers, body: file };
  const response = await send(url, signal === undefined ? request : { ...request, signal });
  if (!response.ok) throw await failureOf(response, base);
  const answer: unknown = await response.json().catch(() => null);
  if (!isAnswer(answer)) throw foreignAnswer(response, base);
  return answer.data;
}

async function send(url: URL, request: RequestInit): Promise<Response> {
  try {
    return await fetch(url, request);
  } catch (error) {
    throw consoleError(error);
  }
}

function isAnswer(answer: unknown): answer is { readonly data: ImportResult } {
  if (typeof answer !== "object" || answer === null || !("data" in answer)) return false;
  return typeof answer.data === "object" && answer.data !== null && "rows" in answer.data;
}
