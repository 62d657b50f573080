import { ERROR_CODES, ERROR_KINDS, type ErrorCode } from "../../../../shared/error-kinds.ts";
import { hasAllPermissions, ROLE_LABELS, ROLES } from "../../../../shared/roles.ts";
import type { Policy, ProcedureMeta, RestRoute } from "../../trpc/trpc.ts";
import { type JsonSchema, nameOf } from "./json-schemas.ts";
import { type HEADERS, TAGS } from "./openapi-texts.ts";
import type { RestProcedure } from "./routes.ts";

export type Operation = ReturnType<typeof operationOf>;

interface OperationSchemas {
  readonly input: JsonSchema;
  readonly output: JsonSchema;
  readonly named: Readonly<Record<string, JsonSchema>>;
  /** The component that is the body; null when the call has none. */
  readonly bodyName: string | null;
}

export function operationOf(
  procedure: RestProcedure,
  { input, output, named, bodyName }: OperationSchemas,
) {
  const { path, meta, route } = procedure;
  const tag = TAGS[meta.tag ?? path.split(".")[0] ?? path];
  if (tag === undefined) throw new Error(`${path} has no tag in openapi-texts.ts`);
  const envelope = {
    type: "object",
    properties: { data: output },
    required: ["data"],
    additionalProperties: false,
  };
  const { status = 200, raw } = route;
  const content = meta.answer === "csv" ? CSV : json(raw ? output : envelope);
  return {
    operationId: path,
    tags: [tag.name],
    summary: meta.summary ?? path,
    description: [meta.description, `**可调用**：${callersOf(meta)}。`]
      .filter(Boolean)
      .join("\n\n"),
    ...(meta.policy === "public" ? { security: [] } : {}),
    parameters: parametersOf(route, input, named),
    ...(meta.body === "csv" ? { requestBody: { required: true, content: CSV } } : {}),
    ...(bodyName === null ? {} : { requestBody: requestBodyOf(bodyName, named[bodyName] ?? {}) }),
    responses: {
      [String(status)]: responseOf(status === 201 ? "已创建" : "成功", content),
      ...failuresOf(procedure),
    },
  };
}

/**
 * What of an input goes to the body: all but what goes to path and query. Null when nothing does.
 */
export function bodyOf(route: RestRoute, input: JsonSchema): JsonSchema | null {
  if (input.oneOf !== undefined) return input;
  const { properties = {}, required = [], ...rest } = input;
  const isInBody = (name: string) => locationOf(route, name) === "body";
  const fields = Object.entries(properties).filter(([name]) => isInBody(name));
  if (fields.length === 0) return null;
  return { ...rest, properties: Object.fromEntries(fields), required: required.filter(isInBody) };
}

function locationOf({ method, path, query }: RestRoute, name: string): "path" | "query" | "body" {
  if (path.includes(`{${name}}`)) return "path";
  const hasBody = method === "POST" || method === "PUT";
  return hasBody && query?.includes(name) !== true ? "body" : "query";
}

function parametersOf(route: RestRoute, input: JsonSchema, named: OperationSchemas["named"]) {
  const { properties = {}, required = [] } = input;
  return Object.entries(properties).flatMap(([name, { description: own, ...schema }]) => {
    const location = locationOf(route, name);
    if (location === "body") return [];
    const description = own ?? named[nameOf(schema.$ref ?? "")]?.description ?? "";
    return [
      {
        name,
        in: location,
        required: location === "path" || required.includes(name),
        description,
        schema,
      },
    ];
  });
}

function requestBodyOf(name: string, { oneOf, required = [] }: JsonSchema) {
  // An absent body is read as {}, which is refused wherever a field is required.
  const isRequired = oneOf !== undefined || required.length > 0;
  return { required: isRequired, content: json({ $ref: `#/components/schemas/${name}` }) };
}

const RETRYABLE: readonly ErrorCode[] = ["TOO_MANY_REQUESTS", "UNAVAILABLE"];

/** The failures of a call by status; each status names the codes that it can carry. */
function failuresOf(procedure: RestProcedure) {
  const byStatus = Map.groupBy(failureCodes(procedure), (code) => ERROR_KINDS[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => {
      const description = codes
        .map((code) => `${ERROR_KINDS[code].message}（\`${code}\`）`)
        .join("；");
      const schema = {
        $ref: "#/components/schemas/ErrorBody",
        properties: { code: { enum: codes } },
      };
      const isRetryable = codes.some((code) => RETRYABLE.includes(code));
      return [
        String(status),
        responseOf(description, json(schema), isRetryable ? ["Retry-After"] : []),
      ];
    }),
  );
}

function failureCodes(procedure: RestProcedure): ErrorCode[] {
  const { meta, route } = procedure;
  const codes = new Set<ErrorCode>([
    "INVALID_INPUT",
    "INTERNAL",
    "UNAVAILABLE",
    ...(meta.errors ?? []),
  ]);
  if (meta.policy !== "public") codes.add("UNAUTHENTICATED");
  if (meta.needsOwnPassword === true) codes.add("FORBIDDEN");
  if (meta.needsSecondFactor === true) codes.add("SECOND_FACTOR_REQUIRED");
  if (refusesTokens(procedure)) codes.add("TOKEN_SCOPE");
  if (route.path.includes("{")) codes.add("NOT_FOUND");
  if (meta.answer === "csv") codes.add("TOO_MANY_REQUESTS");
  // The body of a DELETE is read, too, if only to be refused.
  if (route.method !== "GET") codes.add("PAYLOAD_TOO_LARGE").add("UNSUPPORTED_MEDIA_TYPE");
  return ERROR_CODES.filter((code) => codes.has(code));
}

/** Whether there are API tokens that may not make the call, although their user may. */
function refusesTokens({ meta, type }: RestProcedure): boolean {
  if (meta.policy === "public") return false;
  return meta.isSessionOnly === true || type === "mutation";
}

function callersOf({ policy, isSessionOnly = false }: ProcedureMeta): string {
  const roles = rolesOf(policy);
  return isSessionOnly ? `${roles}，不能使用 API 令牌` : roles;
}

function rolesOf(policy: Policy | undefined): string {
  if (policy === "public") return "所有人，无需登录";
  if (policy === "super_admin") return ROLE_LABELS.super_admin;
  const permissions = typeof policy === "object" ? policy : [];
  const callers = ROLES.filter((role) => hasAllPermissions(role, permissions));
  return callers.map((role) => ROLE_LABELS[role]).join("、");
}

function responseOf(
  description: string,
  content: Readonly<Record<string, { readonly schema: JsonSchema }>>,
  more: readonly (keyof typeof HEADERS)[] = [],
) {
  const names: readonly (keyof typeof HEADERS)[] = ["X-Request-Id", ...more];
  const headers = Object.fromEntries(
    names.map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
  return { description, headers, content };
}

const CSV = { "text/csv": { schema: { type: "string" } } };

function json(schema: JsonSchema) {
  return { "application/json": { schema } };
}
