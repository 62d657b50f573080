import { TRPCClientError } from "@trpc/client";
import { ERROR_CODES } from "../shared/error-codes.ts";
import type { ErrorCode } from "../shared/errors.ts";

/** The code of a failed call; null for anything else, such as a server that did not answer. */
export function errorCode(error: unknown): ErrorCode | null {
  if (!(error instanceof TRPCClientError)) return null;
  const details: unknown = error.data;
  if (typeof details !== "object" || details === null || !("code" in details)) return null;
  return ERROR_CODES.find((code) => code === details.code) ?? null;
}
