import { z } from "zod";

export interface JsonSchema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, JsonSchema>>;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly oneOf?: readonly JsonSchema[];
  readonly anyOf?: readonly JsonSchema[];
  readonly [keyword: string]: unknown;
}

/**
 * One side of several calls. `named`: the schemas with an id in their `.meta()`, by that id; all
 * others refer to them.
 */
export function toJsonSchemas(
  io: "input" | "output",
  roots: readonly [name: string, schema: z.ZodType][],
) {
  const all = z.object(Object.fromEntries(roots));
  const schema = z.toJSONSchema(all, { io, unrepresentable: "any", override: hideSafeIntegers });
  const { properties = {}, $defs = {} }: JsonSchema = JSON.parse(
    JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'),
  );
  return { roots: properties, named: $defs };
}

export function nameOf(reference: string): string {
  return reference.slice(reference.lastIndexOf("/") + 1);
}

/** The bounds of a JavaScript integer say nothing to callers. */
function hideSafeIntegers({
  jsonSchema,
}: {
  readonly jsonSchema: z.core.JSONSchema.BaseSchema;
}): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}
