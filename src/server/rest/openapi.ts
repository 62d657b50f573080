import { operationOf } from "./openapi-operation.ts";
import { createSchemas } from "./openapi-schemas.ts";
import { HEADERS, INFO, SECURITY_SCHEMES, TAGS } from "./openapi-texts.ts";
import type { Method, OpenApiDocument, Operation, Response } from "./openapi-types.ts";
import { type AnyAppRouter, bridgedProcedures } from "./procedures.ts";

/** The API document, made from the procedures' own routes, policies and schemas: what the bridge serves, no more and no less. */
export function createOpenApiDocument(appRouter: AnyAppRouter): OpenApiDocument {
  const schemas = createSchemas();
  const responses = new Map<string, Response>();
  const paths: Record<string, Partial<Record<Method, Operation>>> = {};
  for (const procedure of bridgedProcedures(appRouter)) {
    const { path, method } = procedure.route;
    paths[path] = { ...paths[path], [METHODS[method]]: operationOf(procedure, { schemas, responses }) };
  }
  return {
    openapi: "3.1.1",
    info: INFO,
    servers: [{ url: "/", description: "本服务器" }],
    security: [{ bearer: [] }],
    tags: Object.values(TAGS),
    paths,
    components: {
      securitySchemes: SECURITY_SCHEMES,
      headers: HEADERS,
      responses: sorted(responses),
      schemas: sorted(schemas.components),
    },
  };
}

const METHODS = { GET: "get", POST: "post", PUT: "put", DELETE: "delete" } as const satisfies Record<string, Method>;

function sorted<Value>(named: ReadonlyMap<string, Value>): Record<string, Value> {
  return Object.fromEntries([...named].sort(([one], [other]) => (one < other ? -1 : 1)));
}
