import { z } from "zod";
import { NewPassword, PASSWORD_LENGTH } from "../../shared/passwords.ts";
import type { JsonSchema } from "./openapi-types.ts";

/** What `z.toJSONSchema` cannot say by itself is found out from the schema, so that the document promises what is enforced. */
export function refineSchema({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodType; jsonSchema: JsonSchema }): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (zodSchema instanceof z.ZodRecord && jsonSchema.required !== undefined) spellOut(jsonSchema, jsonSchema.required);
  if (zodSchema === NewPassword) Object.assign(jsonSchema, PASSWORD);
  else if (zodSchema instanceof z.ZodString && jsonSchema.enum === undefined) refineText(zodSchema, jsonSchema);
}

const PASSWORD: JsonSchema = {
  minLength: PASSWORD_LENGTH.min,
  maxLength: PASSWORD_LENGTH.max,
  pattern: "^(?=.*[a-z])(?=.*[A-Z])(?=.*\\d)",
  format: "password",
};

/** A record of every word of an enum is an object with these fields. */
function spellOut(jsonSchema: JsonSchema, words: readonly string[]): void {
  const { additionalProperties = {} } = jsonSchema;
  jsonSchema.properties = Object.fromEntries(words.map((word) => [word, additionalProperties]));
  jsonSchema.additionalProperties = false;
  delete jsonSchema.propertyNames;
}

/** Refinements leave no trace in the JSON schema: whether blank text is taken is asked of the schema itself. */
function refineText(text: z.ZodString, jsonSchema: JsonSchema): void {
  const caseless = (text.def.checks ?? []).find(isCaseless);
  if (caseless !== undefined) jsonSchema.pattern = caselessSource(caseless._zod.def.pattern.source);
  if (jsonSchema.pattern !== undefined || text.safeParse(" ").success) return;
  if (text.safeParse("x").success) jsonSchema.pattern = "\\S";
}

function isCaseless(check: z.core.$ZodCheck<string>): check is z.core.$ZodCheckRegex {
  return check instanceof z.core.$ZodCheckRegex && check._zod.def.pattern.ignoreCase;
}

/** JSON schema knows no flags: `http` becomes `[hH][tT][tT][pP]`. Escapes such as `\d` stay. */
function caselessSource(source: string): string {
  return source.replace(/(?<!\\)[a-z]/gi, (letter) => `[${letter.toLowerCase()}${letter.toUpperCase()}]`);
}
