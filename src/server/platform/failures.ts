import { TRPCError } from "@trpc/server";
import { z } from "zod";
import { ERROR_KINDS, type ErrorCode } from "../../shared/error-kinds.ts";
import type { FieldError } from "../../shared/errors.ts";
import { isDatabaseUnavailable } from "./database/errors.ts";
import { AppError } from "./errors.ts";

const OWN_CODES: Readonly<Partial<Record<TRPCError["code"], ErrorCode>>> = {
  BAD_REQUEST: "INVALID_INPUT",
  PARSE_ERROR: "INVALID_INPUT",
  NOT_FOUND: "NOT_FOUND",
  METHOD_NOT_SUPPORTED: "METHOD_NOT_ALLOWED",
  PAYLOAD_TOO_LARGE: "PAYLOAD_TOO_LARGE",
  UNSUPPORTED_MEDIA_TYPE: "UNSUPPORTED_MEDIA_TYPE",
};

const UNAVAILABLE_RETRY_SECONDS = 5;
const MAX_UNKNOWN_NAMED = 20;
const MAX_NAME_LENGTH = 100;

/**
 * Any thrown value → the failure that a caller may see. Messages of libraries and the database
 * never pass.
 */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof TRPCError) return fromTrpcError(error);
  if (!isDatabaseUnavailable(error)) return new AppError("INTERNAL");
  return new AppError("UNAVAILABLE", undefined, { retryAfter: UNAVAILABLE_RETRY_SECONDS });
}

export function toTrpcError(error: unknown): TRPCError {
  const failure = toAppError(error);
  return new TRPCError({
    code: ERROR_KINDS[failure.code].trpc,
    message: failure.message,
    cause: failure,
  });
}

function fromTrpcError(error: TRPCError): AppError {
  const { cause = null } = error;
  const code = cause instanceof AppError ? undefined : OWN_CODES[error.code];
  if (code === undefined) return toAppError(cause);
  if (code !== "INVALID_INPUT" || !(cause instanceof z.ZodError)) return new AppError(code);

  const fields = fieldErrorsOf(cause);
  return new AppError(code, fields[0]?.message, { fields });
}

export function fieldErrorsOf({ issues }: z.ZodError): FieldError[] {
  return issues.flatMap(fieldErrors);
}

function fieldErrors(issue: z.core.$ZodIssue): FieldError[] {
  if (issue.code !== "unrecognized_keys") {
    return [{ field: issue.path.join("."), message: issue.message }];
  }

  return issue.keys.slice(0, MAX_UNKNOWN_NAMED).map((key) => {
    const short = key.length > MAX_NAME_LENGTH ? `${key.slice(0, MAX_NAME_LENGTH)}…` : key;
    const field = [...issue.path, short.toWellFormed().replaceAll("\0", "")].join(".");
    return { field, message: `不支持的字段 ${field}` };
  });
}
