/** The closed list of failures that a caller can get, for readers that have no use for schemas. */
export const ERROR_CODES = [
  "UNAUTHENTICATED",
  "LOGIN_FAILED",
  "FORBIDDEN",
  "INVALID_INPUT",
  "WRONG_PASSWORD",
  "NOT_FOUND",
  "METHOD_NOT_ALLOWED",
  "CONFLICT",
  "STATE_CONFLICT",
  "PAYLOAD_TOO_LARGE",
  "UNSUPPORTED_MEDIA_TYPE",
  "TOO_MANY_REQUESTS",
  "PROVIDER_ERROR",
  "PROVIDER_TIMEOUT",
  "UNAVAILABLE",
  "INTERNAL",
] as const;
