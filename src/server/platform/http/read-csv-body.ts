import type { Request } from "express";
import { MAX_IMPORT_BYTES } from "../../../shared/read-csv.ts";
import { AppError } from "../errors.ts";
import type { ReservedBody } from "./body-budget.ts";
import { readBody } from "./read-body.ts";

const CSV_TYPE = /^text\/csv\s*(;\s*charset="?(utf-?8|gb18030)"?\s*)?$/i;

/**
 * The file that is the body of a request, with the type that it announces; an absent body is an
 * empty file. Throws as `readBody` does, and UNSUPPORTED_MEDIA_TYPE before it reads anything.
 */
export async function readCsvBody(request: Request, reserved: ReservedBody): Promise<Blob> {
  const { "content-type": type = "", "content-encoding": encoding = "identity" } = request.headers;
  const isCsv = CSV_TYPE.test(type) && encoding === "identity";
  if (hasBody(request) && !isCsv) {
    throw new AppError("UNSUPPORTED_MEDIA_TYPE", "不支持的内容类型，请使用 text/csv");
  }

  const bytes = await readBody(request, reserved, MAX_IMPORT_BYTES);
  return new Blob([bytes], { type });
}

function hasBody({ headers }: Request): boolean {
  const { "content-length": length = "0", "transfer-encoding": coding } = headers;
  return length !== "0" || coding !== undefined;
}
