import { ERROR_KINDS, type ErrorBody, ErrorCode } from "../../shared/errors.ts";
import type { HEADERS } from "./openapi-texts.ts";
import type { Example, JsonSchema, Reference, Response } from "./openapi-types.ts";
import type { BridgedProcedure } from "./procedures.ts";

const REQUEST_ID = "019a9f3e-5c0a-7b1e-9d3f-2f6f0c6b8a11";
const RETRYABLE: readonly ErrorCode[] = ["TOO_MANY_REQUESTS", "UNAVAILABLE"];

/** Every code that a call can answer: those of its kind, and those that its own meta names. In the contract's order. */
export function failureCodes({ meta, route }: BridgedProcedure): ErrorCode[] {
  // Of a DELETE a body is read too, if only to be refused.
  const hasBody = route.method !== "GET";
  const codes = new Set<ErrorCode>(["INVALID_INPUT", "INTERNAL", "UNAVAILABLE", ...(meta.errors ?? [])]);
  if (meta.policy !== "public") codes.add("UNAUTHENTICATED");
  if (meta.needsOwnPassword === true) codes.add("FORBIDDEN");
  if (route.path.includes("{")) codes.add("NOT_FOUND");
  if (hasBody) codes.add("PAYLOAD_TOO_LARGE").add("UNSUPPORTED_MEDIA_TYPE");
  return ErrorCode.options.filter((code) => codes.has(code));
}

/** Codes by the status that carries them, lowest first. */
export function byStatus(codes: readonly ErrorCode[]): [status: number, codes: ErrorCode[]][] {
  return [...Map.groupBy(codes, (code) => ERROR_KINDS[code].status)].sort(([one], [other]) => one - other);
}

/** One failure answer for calls that share its codes; `name` is that of the component. */
export function failureResponse(
  codes: readonly ErrorCode[],
  errorBody: JsonSchema,
): { name: string; response: Response } {
  const examples = Object.fromEntries(codes.map((code) => [code, exampleOf(code)]));
  const only: JsonSchema = { type: "object", properties: { code: { enum: [...codes] } }, required: ["code"] };
  return {
    name: codes.map(pascalCase).join("Or"),
    response: {
      description: codes.map((code) => `${ERROR_KINDS[code].message}（\`${code}\`）`).join("；"),
      headers: {
        "X-Request-Id": header("X-Request-Id"),
        ...(codes.some((code) => RETRYABLE.includes(code)) ? { "Retry-After": header("Retry-After") } : {}),
      },
      content: { "application/json": { schema: { allOf: [errorBody, only] }, examples } },
    },
  };
}

export function header(name: keyof typeof HEADERS): Reference {
  return { $ref: `#/components/headers/${name}` };
}

function exampleOf(code: ErrorCode): Example {
  const { message } = ERROR_KINDS[code];
  const refused = "不支持的参数 nope";
  const value: ErrorBody =
    code === "INVALID_INPUT"
      ? { message: refused, code, requestId: REQUEST_ID, errors: [{ field: "nope", message: refused }] }
      : { message, code, requestId: REQUEST_ID };
  return { summary: message, value };
}

function pascalCase(code: ErrorCode): string {
  return code
    .split("_")
    .map((word) => `${word.slice(0, 1)}${word.slice(1).toLowerCase()}`)
    .join("");
}
