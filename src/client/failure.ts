import { ErrorCode, FieldError } from "@shared/errors.ts";
import { TRPCClientError } from "@trpc/client";
import type { FieldPath, FieldValues, UseFormSetError } from "react-hook-form";
import { z } from "zod";

const FailureData = z.object({
  code: ErrorCode,
  httpStatus: z.number(),
  requestId: z.string(),
  errors: z.array(FieldError).optional(),
});

/** An answer that is not tRPC's own: a proxy's page, the server's last resort. */
const ForeignBody = z
  .object({ message: z.string(), error: z.string(), msg: z.string(), detail: z.string() })
  .partial()
  .catch({});

/** The sentence for the person in front of the screen. */
export function failureText(error: unknown): string {
  if (!(error instanceof TRPCClientError)) return "未知错误";
  if (failureData(error) !== null) return error.message;
  if (isTimeout(error.cause)) return "请求超时，请稍后重试";
  if (error.meta?.response === undefined) return "网络连接失败，请检查网络";
  const body = ForeignBody.parse(error.meta.responseJSON);
  return (
    [body.message, body.error, body.msg, body.detail].find((text) => text !== undefined && text !== "") ?? "请求失败"
  );
}

/** The contract's code; null when the server did not answer or answered in other words. */
export function failureCode(error: unknown): ErrorCode | null {
  return failureData(error)?.code ?? null;
}

/** The fields that the server refused; `field` is a dotted path. */
export function failedFields(error: unknown): readonly FieldError[] {
  return failureData(error)?.errors ?? [];
}

/** False for what a second try cannot change: the server understood and refused. */
export function isWorthRetrying(error: unknown): boolean {
  const data = failureData(error);
  return data === null || data.httpStatus >= 500;
}

/** Puts each refused field's message under its input, and the focus into the first. True when every one found its input, so that no toast is needed. */
export function showFieldErrors<Values extends FieldValues>(
  error: unknown,
  setError: UseFormSetError<Values>,
  fields: readonly FieldPath<Values>[],
): boolean {
  const failed = failedFields(error);
  let isFirst = true;
  for (const name of fields) {
    const refused = failed.find(({ field }) => field === name);
    if (refused === undefined) continue;
    setError(name, { type: "server", message: refused.message }, { shouldFocus: isFirst });
    isFirst = false;
  }
  return failed.length > 0 && failed.every(({ field }) => fields.some((name) => name === field));
}

function failureData(error: unknown): z.infer<typeof FailureData> | null {
  if (!(error instanceof TRPCClientError)) return null;
  return FailureData.safeParse(error.data).data ?? null;
}

function isTimeout(cause: unknown): boolean {
  return cause instanceof DOMException && cause.name === "TimeoutError";
}
