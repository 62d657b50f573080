import { z } from "zod";
import { ErrorBody } from "../../../../shared/errors.ts";
import { type JsonSchema, nameOf, toJsonSchemas } from "./json-schemas.ts";
import { bodyOf, type Operation, operationOf } from "./openapi-operation.ts";
import { HEADERS, INFO, SECURITY_SCHEMES, TAGS } from "./openapi-texts.ts";
import { type AnyAppRouter, restProcedures, VERBS } from "./routes.ts";

export type OpenApiDocument = ReturnType<typeof createOpenApiDocument>;
export type Method = (typeof VERBS)[keyof typeof VERBS];

export function createOpenApiDocument(appRouter: AnyAppRouter) {
  const procedures = restProcedures(appRouter);
  const inputs = toJsonSchemas(
    "input",
    procedures.map(({ path, input }) => [path, input]),
  );
  const outputs = toJsonSchemas("output", [
    ...procedures.map(({ path, output = z.unknown() }): [string, z.ZodType] => [path, output]),
    ["failure", ErrorBody],
  ]);
  // A request is a component as its body only, without the fields that go to path and query.
  const nested = Object.entries(inputs.named).filter(([name]) => !name.endsWith("Input"));
  const schemas: Record<string, JsonSchema> = { ...Object.fromEntries(nested), ...outputs.named };
  const paths: Record<string, Partial<Record<Method, Operation>>> = {};

  for (const procedure of procedures) {
    const { path, meta, route } = procedure;
    const root = inputs.roots[path] ?? {};
    const name = nameOf(root.$ref ?? path);
    const input = inputs.named[name] ?? root;
    const body = meta.body === undefined ? bodyOf(route, input) : null;
    if (body !== null) schemas[name] = body;
    const output = outputs.roots[path] ?? {};
    const operation = operationOf(procedure, {
      input,
      output,
      named: schemas,
      bodyName: body && name,
    });
    paths[route.path] = { ...paths[route.path], [VERBS[route.method]]: operation };
  }
  return {
    openapi: "3.1.1",
    info: INFO,
    servers: [{ url: "/", description: "本服务器" }],
    security: [{ bearer: [] }],
    tags: Object.values(TAGS),
    paths,
    components: { securitySchemes: SECURITY_SCHEMES, headers: HEADERS, schemas },
  };
}
