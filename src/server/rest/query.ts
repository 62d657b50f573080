import { z } from "zod";
import { AppError, invalidField } from "../core/errors.ts";

type FieldKind = "integer" | "boolean" | "string";

/** What each input field is, read from the procedure's own schema, so that strings of a query become what it expects and nothing else. */
export function fieldKinds(input: z.ZodType | undefined): ReadonlyMap<string, FieldKind> {
  if (input === undefined) return new Map();
  // Without a registry every named schema is written where it is used.
  const schema = z.toJSONSchema(input, { io: "input", unrepresentable: "any", metadata: z.registry<{ id: string }>() });
  const properties = Object.entries(schema.properties ?? {});
  return new Map(properties.map(([name, property]) => [name, kindOf(property)]));
}

/** A query string → input fields. Repeated parameters, odd numbers and odd booleans are INVALID_INPUT; nothing is guessed. */
export function readQuery(search: URLSearchParams, kinds: ReadonlyMap<string, FieldKind>): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const [name, value] of search) {
    if (Object.hasOwn(fields, name)) throw invalidField(name, `参数 ${name} 重复`);
    Object.defineProperty(fields, name, { value: convert(name, value, kinds.get(name)), enumerable: true });
  }
  return fields;
}

/** The query part of a request target as it was sent; malformed percent-encoding is INVALID_INPUT. */
export function searchOf(target: string): URLSearchParams {
  const start = target.indexOf("?");
  const search = start === -1 ? "" : target.slice(start + 1);
  try {
    // URLSearchParams would silently replace broken encodings.
    decodeURIComponent(search.replaceAll("+", " "));
  } catch {
    throw new AppError("INVALID_INPUT", "网址中的参数编码不正确");
  }
  return new URLSearchParams(search);
}

function convert(name: string, value: string, kind: FieldKind | undefined): unknown {
  switch (kind) {
    case "integer":
      if (!/^-?\d{1,15}$/.test(value)) throw invalidField(name, `参数 ${name} 必须是整数`);
      return Number(value);
    case "boolean":
      if (value !== "true" && value !== "false") throw invalidField(name, `参数 ${name} 必须是 true 或 false`);
      return value === "true";
    case "string":
    case undefined:
      return value;
  }
}

function kindOf(property: unknown): FieldKind {
  const { type } = z.object({ type: z.string().optional() }).catch({}).parse(property);
  if (type === "integer" || type === "number") return "integer";
  return type === "boolean" ? "boolean" : "string";
}
