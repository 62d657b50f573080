import { z } from "zod";

/** The fields of an input; of one that has alternatives, those of all. */
export function inputFields(input: z.ZodType): string[] {
  return [...new Set(objectsOf(input).flatMap(({ shape }) => Object.keys(shape)))];
}

/** The alternatives of an input. One that may be left out is as if it were given. */
export function objectsOf(input: z.ZodType): z.ZodObject[] {
  if (input instanceof z.ZodObject) return [input];
  if (input instanceof z.ZodUnion) return input.options.flatMap((each) => objectsOf(toType(each)));

  const isWrapped = input instanceof z.ZodOptional || input instanceof z.ZodPrefault;
  return isWrapped ? objectsOf(toType(input.unwrap())) : [];
}

function toType(schema: unknown): z.ZodType {
  if (schema instanceof z.ZodType) return schema;
  throw new Error("an input is made of other schemas");
}
