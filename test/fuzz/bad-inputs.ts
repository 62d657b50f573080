import fc from "fast-check";
import { z } from "zod";
import type { RestProcedure } from "../../src/server/platform/http/rest/routes.ts";

type Input = Readonly<Record<string, unknown>>;
type Schema = z.core.JSONSchema.BaseSchema;

/**
 * Inputs that are each wrong in one way: a bad value, a missing field or an unknown one. Texts that
 * cannot be stored are bad everywhere. Values come from the product's own schemas, so a loosened
 * limit is not found.
 */
export function badInputs(
  { route, input = z.strictObject({}) }: RestProcedure,
  valid: Input,
): fc.Arbitrary<Input> {
  const { properties = {}, required = [] } = schemaOf(input, valid);
  const isInPath = (name: string) => route.path.includes(`{${name}}`);
  const isText = (name: string) =>
    isInPath(name) || route.method === "GET" || route.query?.includes(name) === true;
  const isTaken = (name: string, value: unknown) =>
    input.safeParse({ ...valid, [name]: value }).success;
  const wrong = Object.entries(properties).map(([name, property]) => {
    const isSchema = typeof property === "object";
    const value =
      isText(name) && isSchema
        ? badText(property)
        : anyValue().filter((each) => !isTaken(name, each));
    const unstorable = fc.constantFrom(
      "\0",
      "a\0b",
      ...(isText(name) ? [] : ["\ud800", "x\udfff"]),
    );
    return fc.oneof(value, value, unstorable).map((each): Input => ({ ...valid, [name]: each }));
  });
  const missing = required
    .filter((name) => !isInPath(name))
    .map((missing) =>
      fc.constant(Object.fromEntries(Object.entries(valid).filter(([name]) => name !== missing))),
    );
  const unknown = fc
    .tuple(unknownName(Object.keys(properties)), fc.jsonValue({ maxDepth: 2 }))
    .map(([name, value]): Input => ({ ...valid, [name]: value }));
  return fc.oneof(...wrong, ...missing, unknown);
}

/** The fields of an input; of a union, those of the member that `valid` is. */
function schemaOf(input: z.ZodType, valid: Input) {
  // Without a registry every named schema is written where it is used.
  const options = {
    io: "input",
    unrepresentable: "any",
    metadata: z.registry<{ id: string }>(),
  } as const;
  const schema = z.toJSONSchema(input, options);
  return schema.oneOf?.find(({ properties = {} }) => fits(properties, valid)) ?? schema;
}

/** Whether the fields that tell a member from others have its values. */
function fits(properties: NonNullable<Schema["properties"]>, valid: Input): boolean {
  return Object.entries(properties).every(([name, property]) => {
    const { const: value } = Object(property);
    return value === undefined || valid[name] === undefined || valid[name] === value;
  });
}

const words = (text: string) => text.split(" ");

const BAD_IDS = [
  "' or 1=1 --",
  ...words("1 null undefined 0x10 {} % ０１ 0198a000-0000-7000-8000-00000000000"),
];
const ODD_NUMBERS = [1.5, -0.1, 1e-3, -1, 0, 366, 1e15, 2 ** 53, -(2 ** 53)];
const ODD_LISTS = [
  [],
  [1],
  [null],
  [[]],
  [{}],
  ["\0"],
  ["\ud800"],
  Array.from({ length: 1_001 }, (_, n) => `x${n}`),
];

function anyValue(): fc.Arbitrary<unknown> {
  const text = fc.oneof(
    fc.constantFrom("", "x", ...BAD_IDS),
    fc.string().map((end) => `?${end}`),
    fc.integer({ min: 11, max: 20_000 }).map((size) => "长".repeat(size)),
  );
  return fc.oneof(
    fc.jsonValue({ maxDepth: 3 }),
    fc.constantFrom(...ODD_NUMBERS, ...ODD_LISTS, true, null, {}),
    text,
  );
}

const ODD_INTEGERS = [
  "",
  " 1",
  "1 ",
  "9".repeat(20),
  ...words("1e3 0x10 1.5 +1 １ 1_0 NaN null true 1,2 []"),
];
const ODD_BOOLEANS = ["1", "0", "yes", "True", "FALSE", "", " true", "null", "on", "[]"];

/** Texts for a query or a path that are wrong for this field. */
function badText({ type, enum: options, format, minimum, maximum }: Schema): fc.Arbitrary<string> {
  const other = fc.string({ minLength: 1, maxLength: 40 }).map((text) => `?${text}`);
  const below = minimum === undefined ? [] : [String(minimum - 1), "-9007199254740991"];
  const isBounded = maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER;
  const above = isBounded ? [String(maximum + 1), String(Number.MAX_SAFE_INTEGER)] : [];
  if (type === "integer")
    return fc.oneof(fc.constantFrom(...ODD_INTEGERS, ...below, ...above), other);
  if (type === "boolean") return fc.oneof(fc.constantFrom(...ODD_BOOLEANS), other);
  // Longer than the longest text of an address, the ids of projects.
  const long = fc.integer({ min: 2_101, max: 5_000 }).map((size) => "x".repeat(size));
  if (format === "uuid") return fc.oneof(fc.constantFrom(...BAD_IDS), other, long);
  return options === undefined ? long : fc.oneof(other, long);
}

function unknownName(known: readonly string[]): fc.Arbitrary<string> {
  const familiar =
    "__proto__ constructor prototype toString valueOf id userId role isAdmin passwordHash ID Page 页码";
  const other = fc
    .string({ unit: "binary", minLength: 1, maxLength: 12 })
    .map((text) => `x${text}`);
  const name = fc.oneof(
    fc.constantFrom(...familiar.split(" "), "a[]", "page[]", "__proto__[x]", "%"),
    other,
  );
  return name.filter((text) => !known.includes(text) && text.isWellFormed());
}
