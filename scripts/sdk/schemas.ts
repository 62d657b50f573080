import { globSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { JsonSchema } from "../../src/server/rest/openapi-types.ts";

const SHARED = join(import.meta.dirname, "../../src/shared");

/** Which side of a call a shape is on. */
export type Side = "input" | "output";

export interface NamedSchema {
  readonly schema: JsonSchema;
  readonly side: Side;
}

export interface SchemaSource {
  /** What the shape is; shapes that src/shared has a name for are references, and are found in `named` from then on. */
  describe(shape: z.ZodType, side: Side): JsonSchema;
  readonly named: ReadonlyMap<string, NamedSchema>;
}

/** Knows every shape that a file of src/shared exports by a name of its own. */
export async function createSchemaSource(): Promise<SchemaSource> {
  const registry = z.registry<{ id: string }>();
  for (const [name, shape] of await sharedShapes()) registry.add(shape, { id: name });
  const named = new Map<string, NamedSchema>();
  return {
    named,
    describe(shape, side) {
      const { $defs = {}, ...root } = z.toJSONSchema(shape, { io: side, metadata: registry, unrepresentable: "any" });
      for (const [name, schema] of Object.entries($defs)) add(named, name, { schema, side });
      return root;
    },
  };
}

function add(named: Map<string, NamedSchema>, name: string, found: NamedSchema): void {
  const known = named.get(name);
  if (known !== undefined && JSON.stringify(known.schema) !== JSON.stringify(found.schema)) {
    throw new Error(`${name} is one thing as input and another as output: the SDK needs two names for it`);
  }
  named.set(name, known ?? found);
}

async function sharedShapes(): Promise<Map<string, z.ZodType>> {
  const shapes = new Map<string, z.ZodType>();
  for (const file of globSync("*.ts", { cwd: SHARED }).sort()) {
    const exported: Record<string, unknown> = await import(join(SHARED, file));
    for (const [name, value] of Object.entries(exported)) {
      if (value instanceof z.ZodType && /^[A-Z]/.test(name)) shapes.set(name, value);
    }
  }
  return shapes;
}
