import { ERROR_KINDS, type ErrorCode, type FieldError } from "../../shared/errors.ts";

/** A failure that was foreseen. `message` is the Chinese sentence that the caller reads. Everything else that is thrown is a bug. */
export class AppError extends Error {
  readonly code: ErrorCode;
  /** For INVALID_INPUT: which fields, in the order they were found. */
  readonly fields: readonly FieldError[] | undefined;
  /** Seconds after which another try makes sense; becomes `Retry-After`. */
  readonly retryAfter: number | undefined;

  constructor(code: ErrorCode, message?: string, more: { fields?: readonly FieldError[]; retryAfter?: number } = {}) {
    super(message ?? ERROR_KINDS[code].message);
    this.name = "AppError";
    this.code = code;
    this.fields = more.fields;
    this.retryAfter = more.retryAfter;
  }
}

/** INVALID_INPUT for one field, with the sentence that stands under it. */
export function invalidField(field: string, message: string): AppError {
  return new AppError("INVALID_INPUT", message, { fields: [{ field, message }] });
}
