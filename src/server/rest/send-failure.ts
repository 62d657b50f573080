import type { Response } from "express";
import { ERROR_KINDS, type ErrorBody, type ErrorCode } from "../../shared/errors.ts";
import type { AppError } from "../core/errors.ts";
import { toAppError } from "../core/failures.ts";

/** Writes any failure as the contract's JSON. Does nothing when the answer is already on its way. */
export function sendFailure(response: Response, error: unknown, requestId: string): void {
  if (response.headersSent) return;
  const failure = toAppError(error);
  const body: ErrorBody = {
    message: failure.message,
    code: failure.code,
    requestId,
    ...(failure.fields === undefined ? {} : { errors: [...failure.fields] }),
  };
  startFailure(response, failure).json(body);
}

/** Sets the status and the headers of a failure, whatever its body looks like. */
export function startFailure(response: Response, { code, retryAfter }: AppError): Response {
  if (retryAfter !== undefined) response.setHeader("Retry-After", String(retryAfter));
  if (isBodyUnread(code)) response.setHeader("Connection", "close");
  return response.status(ERROR_KINDS[code].status);
}

/** After these a body may be left unread, and its connection cannot be used again. */
export function isBodyUnread(code: ErrorCode): boolean {
  return code === "PAYLOAD_TOO_LARGE" || code === "UNAVAILABLE";
}
