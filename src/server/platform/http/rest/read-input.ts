import type { Request } from "express";
import { z } from "zod";
import { invalidField } from "../../errors.ts";
import type { BodyBudget } from "../body-budget.ts";
import { readJsonObject } from "../read-body.ts";
import { readCsvBody } from "../read-csv-body.ts";
import type { RestProcedure } from "./routes.ts";

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads a procedure's input from path, query and body of a request. Throws INVALID_INPUT for a
 * field in the wrong one.
 */
export function inputReader(
  procedure: RestProcedure,
  bodies: BodyBudget,
): (request: Request) => Promise<Fields> {
  const { route, input, meta } = procedure;
  const types = fieldTypes(input);
  // Every procedure but a public one checks the session before it reads its input.
  const isSignedIn = meta.policy !== "public";
  const hasBody = route.method !== "GET";
  const isFile = meta.body === "csv";

  function isInQuery(name: string): boolean {
    return hasBody ? route.query?.includes(name) === true : types.has(name);
  }

  return async (request) => {
    const query = parseQuery(request.url, types);
    const sender = { ip: request.ip ?? "", isSignedIn };
    const body = hasBody && !isFile ? await readJsonObject(request, bodies.open(sender)) : {};

    const isInPath = (name: string) => Object.hasOwn(request.params, name);
    const [misplaced] = [
      ...Object.keys(query).filter((name) => isInPath(name) || !isInQuery(name)),
      ...Object.keys(body).filter((name) => isInPath(name) || isInQuery(name)),
    ];
    if (misplaced !== undefined) throw invalidField(misplaced, `不支持的参数 ${misplaced}`);

    const file = isFile ? { file: await readCsvBody(request, bodies.open(sender)) } : {};
    return { ...body, ...file, ...query, ...request.params };
  };
}

function fieldTypes(input: z.ZodType): ReadonlyMap<string, unknown> {
  // With an empty registry named schemas are inlined instead of referred to.
  const metadata = z.registry<{ id: string }>();
  const { properties = {} } = z.toJSONSchema(input, {
    io: "input",
    unrepresentable: "any",
    metadata,
  });
  return new Map(
    Object.entries(properties).map(([name, schema]) => [
      name,
      typeof schema === "object" && schema.type,
    ]),
  );
}

function parseQuery(url: string, types: ReadonlyMap<string, unknown>): Fields {
  const fields = new Map<string, unknown>();
  for (const [name, text] of new URLSearchParams(url.replace(/^[^?]*/, ""))) {
    if (fields.has(name)) throw invalidField(name, `参数 ${name} 重复`);
    fields.set(name, parseValue(name, text, types.get(name)));
  }
  return Object.fromEntries(fields);
}

function parseValue(name: string, text: string, type: unknown): unknown {
  if (type === "integer") {
    if (!/^-?\d{1,15}$/.test(text)) throw invalidField(name, `参数 ${name} 必须是整数`);
    return Number(text);
  }
  if (type === "boolean") {
    if (text !== "true" && text !== "false") {
      throw invalidField(name, `参数 ${name} 必须是 true 或 false`);
    }
    return text === "true";
  }
  return text;
}
