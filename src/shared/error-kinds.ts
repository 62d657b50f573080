/**
 * The closed list of failures that a caller can get on every surface: HTTP status, tRPC's code,
 * default message. Without schemas, for the SDK.
 */
export const ERROR_KINDS = {
  UNAUTHENTICATED: { status: 401, trpc: "UNAUTHORIZED", message: "认证失败，请重新登录" },
  LOGIN_FAILED: { status: 401, trpc: "UNAUTHORIZED", message: "用户名或密码错误" },
  FORBIDDEN: { status: 403, trpc: "FORBIDDEN", message: "没有权限执行此操作" },
  SECOND_FACTOR_REQUIRED: {
    status: 403,
    trpc: "FORBIDDEN",
    message: "您的角色必须使用两步验证，请先在个人设置中开启",
  },
  TOKEN_SCOPE: { status: 403, trpc: "FORBIDDEN", message: "API 令牌的权限不足，不能执行此操作" },
  INVALID_INPUT: { status: 400, trpc: "BAD_REQUEST", message: "请求参数错误" },
  WRONG_PASSWORD: { status: 400, trpc: "BAD_REQUEST", message: "当前密码不正确" },
  NOT_FOUND: { status: 404, trpc: "NOT_FOUND", message: "请求的内容不存在" },
  METHOD_NOT_ALLOWED: { status: 405, trpc: "METHOD_NOT_SUPPORTED", message: "不支持的请求方法" },
  CONFLICT: { status: 409, trpc: "CONFLICT", message: "与已有内容冲突" },
  STATE_CONFLICT: { status: 409, trpc: "CONFLICT", message: "当前状态不允许此操作，请刷新后重试" },
  PAYLOAD_TOO_LARGE: { status: 413, trpc: "PAYLOAD_TOO_LARGE", message: "请求内容过大" },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    trpc: "UNSUPPORTED_MEDIA_TYPE",
    message: "不支持的内容类型，请使用 application/json",
  },
  TOO_MANY_REQUESTS: {
    status: 429,
    trpc: "TOO_MANY_REQUESTS",
    message: "操作过于频繁，请稍后重试",
  },
  PROVIDER_ERROR: { status: 502, trpc: "BAD_GATEWAY", message: "云服务商接口返回错误，请稍后重试" },
  PROVIDER_TIMEOUT: {
    status: 504,
    trpc: "GATEWAY_TIMEOUT",
    message: "云服务商接口响应超时，请稍后重试",
  },
  UNAVAILABLE: { status: 503, trpc: "SERVICE_UNAVAILABLE", message: "服务暂时不可用，请稍后重试" },
  INTERNAL: { status: 500, trpc: "INTERNAL_SERVER_ERROR", message: "服务器内部错误" },
} as const;
export type ErrorCode = keyof typeof ERROR_KINDS;

export function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === "string" && Object.hasOwn(ERROR_KINDS, value);
}

export const ERROR_CODES = Object.keys(ERROR_KINDS).filter(isErrorCode);
