import { z } from "zod";
import { ERROR_CODES } from "./error-codes.ts";

/** The closed list of failures that a caller can get, on every surface (REST, tRPC, WebSocket, SDK). */
export const ErrorCode = z.enum(ERROR_CODES).meta({ id: "ErrorCode", description: "错误码，清单固定" });
export type ErrorCode = z.infer<typeof ErrorCode>;

/** One table for every surface: code → HTTP status and default Chinese message. */
export const ERROR_KINDS: Readonly<Record<ErrorCode, { readonly status: number; readonly message: string }>> = {
  UNAUTHENTICATED: { status: 401, message: "认证失败，请重新登录" },
  LOGIN_FAILED: { status: 401, message: "用户名或密码错误" },
  FORBIDDEN: { status: 403, message: "没有权限执行此操作" },
  INVALID_INPUT: { status: 400, message: "请求参数错误" },
  WRONG_PASSWORD: { status: 400, message: "当前密码不正确" },
  NOT_FOUND: { status: 404, message: "请求的内容不存在" },
  METHOD_NOT_ALLOWED: { status: 405, message: "不支持的请求方法" },
  CONFLICT: { status: 409, message: "与已有内容冲突" },
  STATE_CONFLICT: { status: 409, message: "当前状态不允许此操作，请刷新后重试" },
  PAYLOAD_TOO_LARGE: { status: 413, message: "请求内容过大" },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: "不支持的内容类型，请使用 application/json" },
  TOO_MANY_REQUESTS: { status: 429, message: "操作过于频繁，请稍后重试" },
  PROVIDER_ERROR: { status: 502, message: "云服务商接口返回错误，请稍后重试" },
  PROVIDER_TIMEOUT: { status: 504, message: "云服务商接口响应超时，请稍后重试" },
  UNAVAILABLE: { status: 503, message: "服务暂时不可用，请稍后重试" },
  INTERNAL: { status: 500, message: "服务器内部错误" },
};

export const FieldError = z
  .strictObject({
    field: z.string().meta({ description: "字段路径，用点分隔；空字符串表示整个请求内容", examples: ["phone"] }),
    message: z.string().meta({ description: "说明，可直接显示给用户", examples: ["手机号格式不正确"] }),
  })
  .meta({ id: "FieldError", description: "一个未通过校验的字段" });
export type FieldError = z.infer<typeof FieldError>;

export const ErrorBody = z
  .strictObject({
    message: z.string().describe("说明，可直接显示给用户"),
    code: ErrorCode,
    requestId: z.string().describe("请求编号，与响应头 X-Request-Id 相同，便于查日志"),
    errors: z.array(FieldError).optional().describe("未通过校验的字段，仅 INVALID_INPUT 时出现"),
  })
  .meta({ id: "ErrorBody", description: "所有失败的统一格式" });
export type ErrorBody = z.infer<typeof ErrorBody>;
