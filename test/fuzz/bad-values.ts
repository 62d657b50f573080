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
  maxLength: z.number().optional(),
  maxItems: z.number().optional(),
  minItems: z.number().optional(),
  get anyOf() {
    return z.array(Property).optional();
  },
});
export type Property = z.infer<typeof Property>;

const ObjectSchema = z.object({
  properties: z.record(z.string(), Property).optional(),
  required: z.array(z.string()).optional(),
});
const InputSchema = ObjectSchema.extend({ oneOf: z.array(ObjectSchema).optional() });

export interface Fields {
  readonly properties: Readonly<Record<string, Property>>;
  readonly required: readonly string[];
}

/** The fields of a procedure's input by its schema; of a union, those of the member that `chosen` is. */
export function fieldsOf(input: z.ZodType | undefined, chosen: Readonly<Record<string, unknown>>): Fields {
  if (input === undefined) return { properties: {}, required: [] };
  // Without a registry every named schema is written where it is used.
  const options = { io: "input", unrepresentable: "any", metadata: z.registry<{ id: string }>() } as const;
  const schema = InputSchema.parse(z.toJSONSchema(input, options));
  const one = schema.oneOf?.find(({ properties }) => properties?.operation?.const === chosen.operation) ?? schema;
  return { properties: one.properties ?? {}, required: one.required ?? [] };
}

const words = (text: string) => text.split(" ");

const SURROGATES = ["\ud800", "\udfff", "\ud83d"];
const BAD_IDS = ["", "' or 1=1 --", ...words("1 null undefined 0x10 {} % ０１ 0198a000-0000-7000-8000-00000000000")];

/** JSON text of values that are wrong for this field: of a wrong type, beyond a limit, or not storable as text. */
export function badJson(property: Property): fc.Arbitrary<string> {
  const branches = branchesOf(property);
  const types = new Set(branches.map(({ type }) => type));
  const wrongType = fc
    .oneof(fc.jsonValue({ maxDepth: 3 }), fc.constantFrom(...ODD_VALUES))
    .filter((value) => !isOneOf(types, value))
    .map((value) => JSON.stringify(value));
  return fc.oneof(
    { weight: 3, arbitrary: wrongType },
    ...branches.flatMap((branch) => beyond(branch).map((arbitrary) => ({ weight: 2, arbitrary }))),
  );
}

const ODD_VALUES = [...words("x 1 1e3 true null"), 1, 0, -1, 1.5, 1e300, true, false, null, [], {}, [[]], [null], [{}]];

function branchesOf(property: Property): Property[] {
  return property.anyOf?.flatMap(branchesOf) ?? [property];
}

/** An integer is a number too; `beyond` has the floats. */
function isOneOf(types: ReadonlySet<string | undefined>, value: unknown): boolean {
  if (value === null) return types.has("null");
  if (Array.isArray(value)) return types.has("array");
  if (typeof value === "number") return types.has("integer") || types.has("number");
  return types.has(typeof value);
}

function beyond(property: Property): fc.Arbitrary<string>[] {
  switch (property.type) {
    case "string":
      return property.const === "" ? [] : beyondText(property);
    case "integer":
      return [
        fc.constantFrom("1.5", "-0.1", "1e-3", "1e400", "-1e400", "9007199254740993", "1e15", ...outside(property)),
      ];
    case "array":
      return [fc.constantFrom("[1]", "[null]", "[[]]", "[{}]", '["\\u0000"]', '["\\ud800"]', ...tooMany(property))];
    default:
      return [];
  }
}

function beyondText({ maxLength, pattern, format, enum: choices, const: only }: Property): fc.Arbitrary<string>[] {
  const unstorable = fc
    .tuple(fc.string(), fc.constantFrom("\0", ...SURROGATES), fc.string())
    .map((parts) => JSON.stringify(parts.join("")));
  const isLimited = maxLength !== undefined || pattern !== undefined;
  const long = fc
    .integer({ min: (maxLength ?? 300) + 1, max: 20_000 })
    .map((size) => JSON.stringify("长".repeat(size)));
  const other = fc.string({ minLength: 1 }).map((text) => JSON.stringify(`?${text}`));
  return [
    unstorable,
    ...(isLimited ? [long] : []),
    ...(choices === undefined && only === undefined ? [] : [other]),
    ...(format === "uuid" ? [fc.constantFrom(...BAD_IDS).map((id) => JSON.stringify(id)), other] : []),
  ];
}

function outside({ minimum, maximum }: Property): string[] {
  const below = minimum === undefined ? [] : [String(minimum - 1), "-9007199254740991"];
  return maximum === undefined ? below : [...below, String(maximum + 1), "9007199254740991"];
}

function tooMany({ maxItems, minItems }: Property): string[] {
  const many =
    maxItems === undefined ? [] : [JSON.stringify(Array.from({ length: maxItems + 1 }, (_, index) => `x${index}`))];
  return minItems === undefined ? many : [...many, "[]"];
}

/** Texts for a query or a path that are wrong for this field, encoded as they are sent. */
export function badText(property: Property): fc.Arbitrary<string> {
  const encoded = (...texts: string[]) => fc.constantFrom(...texts.map((text) => encodeURIComponent(text)));
  const { type, enum: options, format, pattern } = property;
  const isAnyText = type === "string" && options === undefined && format === undefined && pattern === undefined;
  // In a field of any text broken percent-encoding is text that finds nothing.
  const broken = isAnyText ? [] : ["%", "%f", "%ff", "%E0%A4", "%ED%A0%80", "%C0%80"];
  return fc.oneof(
    { weight: 1, arbitrary: fc.constantFrom(...broken, "a%00", "%00") },
    { weight: 4, arbitrary: wrongText(property, encoded) },
  );
}

const ODD_INTEGERS = ["", " 1", "1 ", "9".repeat(20), ...words("1e3 0x10 1.5 +1 １ 1_0 NaN null true 1,2 []")];
const ODD_BOOLEANS = ["1", "0", "yes", "True", "FALSE", "", " true", "null", "on", "[]"];

function wrongText(property: Property, encoded: (...texts: string[]) => fc.Arbitrary<string>): fc.Arbitrary<string> {
  const other = fc.string({ minLength: 1, maxLength: 40 }).map((text) => encodeURIComponent(`?${text}`));
  if (property.type === "integer") return fc.oneof(encoded(...ODD_INTEGERS, ...outside(property)), other);
  if (property.type === "boolean") return fc.oneof(encoded(...ODD_BOOLEANS), other);
  const long = fc.integer({ min: 301, max: 3000 }).map((size) => "x".repeat(size));
  const ids = BAD_IDS.filter((id) => id !== "");
  if (property.format === "uuid") return fc.oneof(encoded(...ids), other, long);
  return property.enum === undefined ? long : fc.oneof(other, long);
}
