import fc from "fast-check";
import { z } from "zod";

/** One field in the JSON schema of an input. */
const Property = z.object({
  type: z.string().optional(),
  enum: z.array(z.unknown()).optional(),
  const: z.unknown().optional(),
  pattern: z.string().optional(),
  format: z.string().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
});
type Property = z.infer<typeof Property>;

const ObjectSchema = z.object({
  properties: z.record(z.string(), Property).optional(),
  required: z.array(z.string()).optional(),
});
const InputSchema = ObjectSchema.extend({ oneOf: z.array(ObjectSchema).optional() });

export type Input = Readonly<Record<string, unknown>>;

export interface Fields {
  readonly properties: Readonly<Record<string, Property>>;
  readonly required: readonly string[];
  /** Whether the valid input is still valid with this value. */
  takes(name: string, value: unknown): boolean;
}

/** The fields of a procedure's input by its schema; of a union, those of the member that `valid` is. */
export function fieldsOf(input: z.ZodType = z.strictObject({}), valid: Input): Fields {
  // Without a registry every named schema is written where it is used.
  const options = { io: "input", unrepresentable: "any", metadata: z.registry<{ id: string }>() } as const;
  const schema = InputSchema.parse(z.toJSONSchema(input, options));
  const one = schema.oneOf?.find(({ properties }) => properties?.operation?.const === valid.operation) ?? schema;
  return {
    properties: one.properties ?? {},
    required: one.required ?? [],
    takes: (name, value) => input.safeParse({ ...valid, [name]: value }).success,
  };
}

const words = (text: string) => text.split(" ");

const BAD_IDS = ["' or 1=1 --", ...words("1 null undefined 0x10 {} % ０１ 0198a000-0000-7000-8000-00000000000")];
const ODD_NUMBERS = ["1.5", "-0.1", "1e-3", "-1", "0", "366", "1e15", "9007199254740993", "1e400", "-1e400"];
const ODD_LISTS = ["[]", "[1]", "[null]", "[[]]", "[{}]", '["\\u0000"]', '["\\ud800"]'];
const LONG_LIST = JSON.stringify(Array.from({ length: 1_001 }, (_, index) => `x${index}`));

/** JSON text of values that the field does not take, or that cannot be stored as text. */
export function badJson({ takes }: Fields, name: string): fc.Arbitrary<string> {
  const text = fc.oneof(
    fc.constantFrom("", "x", ...BAD_IDS),
    fc.string().map((end) => `?${end}`),
    fc.integer({ min: 11, max: 20_000 }).map((size) => "长".repeat(size)),
  );
  const json = fc.oneof(
    fc.oneof(fc.jsonValue({ maxDepth: 3 }), text).map((value) => JSON.stringify(value)),
    fc.constantFrom(...ODD_NUMBERS, ...ODD_LISTS, LONG_LIST, "true", "null", "{}"),
  );
  const unstorable = fc.tuple(fc.string(), fc.constantFrom("\0", "\ud800", "\udfff", "\ud83d"), fc.string());
  return fc.oneof(
    { weight: 3, arbitrary: json.filter((value) => !takes(name, JSON.parse(value))) },
    { weight: 1, arbitrary: unstorable.map((parts) => JSON.stringify(parts.join(""))) },
  );
}

const ODD_INTEGERS = ["", " 1", "1 ", "9".repeat(20), ...words("1e3 0x10 1.5 +1 １ 1_0 NaN null true 1,2 []")];
const ODD_BOOLEANS = ["1", "0", "yes", "True", "FALSE", "", " true", "null", "on", "[]"];

/** Texts for a query or a path that are wrong for this field, encoded as they are sent. */
export function badText(property: Property): fc.Arbitrary<string> {
  const { type, enum: options, format, pattern } = property;
  const isAnyText = type === "string" && options === undefined && format === undefined && pattern === undefined;
  // In a field of any text broken percent-encoding is text that finds nothing.
  const broken = isAnyText ? [] : ["%", "%f", "%ff", "%E0%A4", "%ED%A0%80", "%C0%80"];
  return fc.oneof(
    { weight: 1, arbitrary: fc.constantFrom(...broken, "a%00", "%00") },
    { weight: 4, arbitrary: wrongText(property) },
  );
}

function wrongText({ type, enum: options, format, minimum, maximum }: Property): fc.Arbitrary<string> {
  const encoded = (...texts: string[]) => fc.constantFrom(...texts.map((text) => encodeURIComponent(text)));
  const other = fc.string({ minLength: 1, maxLength: 40 }).map((text) => encodeURIComponent(`?${text}`));
  const below = minimum === undefined ? [] : [String(minimum - 1), "-9007199254740991"];
  const above = maximum === undefined ? [] : [String(maximum + 1), "9007199254740991"];
  if (type === "integer") return fc.oneof(encoded(...ODD_INTEGERS, ...below, ...above), other);
  if (type === "boolean") return fc.oneof(encoded(...ODD_BOOLEANS), other);
  const long = fc.integer({ min: 301, max: 3000 }).map((size) => "x".repeat(size));
  if (format === "uuid") return fc.oneof(encoded(...BAD_IDS), other, long);
  return options === undefined ? long : fc.oneof(other, long);
}
