import { TRPCClientError } from "@trpc/client";
import { type ErrorCode, isErrorCode } from "../shared/error-kinds.ts";

/** The code of a failed call; null for anything else, such as a server that did not answer. */
export function errorCode(error: unknown): ErrorCode | null {
  if (!(error instanceof TRPCClientError)) return null;
  const details: unknown = error.data;
  if (typeof details !== "object" || details === null || !("code" in details)) return null;
  return isErrorCode(details.code) ? details.code : null;
}
