import { ErrorBody } from "../../shared/errors.ts";
import { hasAllPermissions, ROLE_LABELS, Role } from "../../shared/roles.ts";
import type { Policy } from "../core/trpc.ts";
import { examplesOf } from "./openapi-examples.ts";
import { byStatus, failureCodes, failureResponse, header } from "./openapi-failures.ts";
import { describeField } from "./openapi-glossary.ts";
import type { InputFields, Schemas } from "./openapi-schemas.ts";
import { TAGS } from "./openapi-texts.ts";
import type { JsonSchema, Operation, Parameter, Reference, Response } from "./openapi-types.ts";
import type { BridgedProcedure } from "./procedures.ts";

export interface OperationParts {
  readonly schemas: Schemas;
  /** Failure answers shared by operations; this adds those it needs. */
  readonly responses: Map<string, Response>;
}

/** One procedure as an OpenAPI operation: its input goes to path, query and body exactly as the bridge takes it from there. */
export function operationOf(procedure: BridgedProcedure, { schemas, responses }: OperationParts): Operation {
  const { path, meta, route, input } = procedure;
  const fields = input === undefined ? NO_FIELDS : schemas.input(input);
  const isInPath = (name: string) => route.path.includes(`{${name}}`);
  const hasBody = route.method === "POST" || route.method === "PUT";
  const isInQuery = (name: string) => !isInPath(name) && (!hasBody || route.query?.includes(name) === true);
  const names = Object.keys(fields.properties);
  const elsewhere = names.filter((name) => isInPath(name) || isInQuery(name));
  const body = hasBody ? withoutFields(fields, elsewhere) : null;
  return {
    operationId: path,
    tags: [tagOf(procedure).name],
    summary: meta.summary ?? path,
    description: [meta.description, `**可调用**：${callersOf(meta.policy)}。`].filter(Boolean).join("\n\n"),
    ...(meta.policy === "public" ? { security: [] } : {}),
    parameters: elsewhere.map((name) => parameterOf(path, name, { fields, place: isInPath(name) ? "path" : "query" })),
    ...(body === null || isEmpty(body) ? {} : { requestBody: requestBodyOf(procedure, { fields, body, schemas }) }),
    responses: {
      [String(route.status ?? 200)]: successOf(procedure, schemas),
      ...failuresOf(procedure, { schemas, responses }),
    },
  };
}

const NO_FIELDS: InputFields = { name: undefined, schema: {}, properties: {}, required: [] };

function tagOf({ path, meta }: BridgedProcedure) {
  const key = meta.tag ?? path.split(".")[0] ?? path;
  const tag = TAGS[key];
  if (tag === undefined) throw new Error(`the API document has no section for ${path}`);
  return tag;
}

function callersOf(policy: Policy | undefined): string {
  if (policy === "public") return "所有人，无需登录";
  if (policy === "super_admin") return ROLE_LABELS.super_admin;
  const permissions = typeof policy === "object" ? policy : [];
  const callers = Role.options.filter((role) => hasAllPermissions(role, permissions));
  return callers.map((role) => ROLE_LABELS[role]).join("、");
}

function parameterOf(
  procedure: string,
  name: string,
  { fields, place }: { readonly fields: InputFields; readonly place: Parameter["in"] },
): Parameter {
  const { description, ...schema } = describeField(procedure, name, fields.properties[name] ?? {});
  const required = place === "path" || fields.required.includes(name);
  return { name, in: place, required, ...(description === undefined ? {} : { description }), schema };
}

/** What is left of an input for the body. */
function withoutFields({ schema, properties, required }: InputFields, elsewhere: readonly string[]): JsonSchema {
  if (elsewhere.length === 0) return schema;
  const { required: _, ...rest } = schema;
  const kept = required.filter((name) => !elsewhere.includes(name));
  return {
    ...rest,
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => !elsewhere.includes(name))),
    ...(kept.length === 0 ? {} : { required: kept }),
  };
}

function isEmpty(schema: JsonSchema): boolean {
  return schema.type === "object" && Object.keys(schema.properties ?? {}).length === 0;
}

function requestBodyOf(
  { input, path }: BridgedProcedure,
  { fields, body, schemas }: { readonly fields: InputFields; readonly body: JsonSchema; readonly schemas: Schemas },
) {
  if (fields.name === undefined) throw new Error(`the body of ${path} has no name in the API document`);
  return {
    // An absent body is read as {}, which is refused wherever a field is required.
    required: body.oneOf !== undefined || (body.required ?? []).length > 0,
    content: { "application/json": { schema: schemas.add(fields.name, body), examples: examplesOf(input) } },
  };
}

function successOf({ output, route }: BridgedProcedure, schemas: Schemas): Response {
  const answer = output === undefined ? {} : schemas.output(output);
  const examples = examplesOf(output);
  const enveloped = Object.entries(examples).map(([name, { summary, value }]) => [
    name,
    { summary, value: { data: value } },
  ]);
  return {
    description: route.status === 201 ? "已创建" : "成功",
    headers: { "X-Request-Id": header("X-Request-Id") },
    content: {
      "application/json": route.raw
        ? { schema: answer, examples }
        : { schema: envelope(answer), examples: Object.fromEntries(enveloped) },
    },
  };
}

function envelope(answer: JsonSchema): JsonSchema {
  return { type: "object", properties: { data: answer }, required: ["data"], additionalProperties: false };
}

function failuresOf(procedure: BridgedProcedure, { schemas, responses }: OperationParts): Record<string, Reference> {
  const errorBody = schemas.output(ErrorBody);
  const answers: Record<string, Reference> = {};
  for (const [status, codes] of byStatus(failureCodes(procedure))) {
    const { name, response } = failureResponse(codes, errorBody);
    responses.set(name, response);
    answers[String(status)] = { $ref: `#/components/responses/${name}` };
  }
  return answers;
}
