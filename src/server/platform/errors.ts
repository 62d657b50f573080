import { ERROR_KINDS, type ErrorCode } from "../../shared/error-kinds.ts";
import type { FieldError } from "../../shared/errors.ts";
import { isDatabaseUnavailable } from "./database/errors.ts";

/** An expected failure; `message` is Chinese. Everything else that is thrown is a bug. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly fields: readonly FieldError[] | undefined;
  /** Seconds, for `Retry-After`. */
  readonly retryAfter: number | undefined;

  constructor(
    code: ErrorCode,
    message?: string,
    more: { fields?: readonly FieldError[]; retryAfter?: number } = {},
  ) {
    super(message ?? ERROR_KINDS[code].message);
    this.name = "AppError";
    this.code = code;
    this.fields = more.fields;
    this.retryAfter = more.retryAfter;
  }
}

export function invalidField(field: string, message: string): AppError {
  return new AppError("INVALID_INPUT", message, { fields: [{ field, message }] });
}

/**
 * The process cannot start, or a command cannot run, as it is set up. The message says what the
 * operator can do.
 */
export class StartError extends Error {
  override readonly name: string = "StartError";
}

/**
 * SQLSTATE classes and codes: sign-in, missing database, resources, intervention, missing right.
 */
const OPERATIONAL = /^(28|3D|53|57|42501$)/;

const NATIVE_MODULE_MISSING = /No native build was found|argon2\.\S+\.node/;

/** One line about a failure that the operator can fix; null for a bug. */
export function describeOperationalError(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  if (error instanceof StartError) return error.message;
  if (NATIVE_MODULE_MISSING.test(error.message)) {
    return "缺少 argon2 在本平台上的原生模块：请在本机重新运行 npm ci，不要从其他系统复制 node_modules。";
  }
  if (isDatabaseUnavailable(error)) {
    return `数据库（DATABASE_URL）现在不可用或不可写，未完成（${error.message}）。`;
  }

  const hasOperationalCode = "code" in error && OPERATIONAL.test(String(error.code));
  const isOperational = "syscall" in error || hasOperationalCode;
  return isOperational ? `未完成（${error.message}）。` : null;
}

export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(", ");
  return error instanceof Error ? error.message : String(error);
}
