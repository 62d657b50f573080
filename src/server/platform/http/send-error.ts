import type { Response } from "express";
import { ERROR_KINDS, type ErrorCode } from "../../../shared/error-kinds.ts";
import type { ErrorBody } from "../../../shared/errors.ts";
import { AppError } from "../errors.ts";
import { toAppError } from "../failures.ts";
import { requestIdOf } from "./request-context.ts";

/** Every method that some path has; OPTIONS asks before a page of another origin calls. */
export const SERVED_METHODS = ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"];

/** Writes any failure as the contract's JSON. Does nothing when an answer has begun. */
export function sendError(response: Response, error: unknown): void {
  if (response.headersSent) return;

  const { code, message, fields, retryAfter } = toAppError(error);
  const body: ErrorBody = { message, code, requestId: requestIdOf(response) };
  if (fields !== undefined) body.errors = [...fields];

  if (retryAfter !== undefined) response.setHeader("Retry-After", String(retryAfter));
  if (leavesBodyUnread(code)) response.setHeader("Connection", "close");
  response.status(ERROR_KINDS[code].status).json(body);
}

export function sendMethodNotAllowed(response: Response, allowed: readonly string[]): void {
  response.setHeader("Allow", allowed.join(", "));
  sendError(response, new AppError("METHOD_NOT_ALLOWED"));
}

/** A connection whose request was not read to its end cannot carry another one. */
export function leavesBodyUnread(code: ErrorCode): boolean {
  return ["PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE", "UNAVAILABLE"].includes(code);
}
