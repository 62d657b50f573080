import type { JsonSchema } from "../../src/server/rest/openapi-types.ts";
import type { Side } from "./schemas.ts";

/** `export interface Name {…}`, or a type alias for what is no object, with its description. */
export function printDeclaration(name: string, schema: JsonSchema, side: Side): string {
  const isObject = schema.properties !== undefined && Object.keys(schema.properties).length > 0;
  const declared = isObject
    ? `interface ${name} ${printType(schema, side)}`
    : `type ${name} = ${printType(schema, side)};`;
  return `${printComment(schema.description)}export ${declared}\n`;
}

/** The TypeScript type of what the schema describes; objects over several lines, indented by `indent`. */
export function printType(schema: JsonSchema, side: Side, indent = ""): string {
  if (schema.$ref !== undefined) return nameOf(schema.$ref);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((word) => JSON.stringify(word)).join(" | ");
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return choices.map((each) => printType(each, side, indent)).join(" | ");
  if (Array.isArray(schema.type))
    return schema.type.map((type) => printType({ ...schema, type }, side, indent)).join(" | ");
  switch (schema.type) {
    case "string":
    case "boolean":
    case "null":
      return schema.type;
    case "integer":
    case "number":
      return "number";
    case "array":
      return printArray(schema, side, indent);
    case "object":
      return printObject(schema, side, indent);
    default:
      throw new Error(`the SDK has no type for ${JSON.stringify(schema)}`);
  }
}

/** TSDoc, or nothing; every line of the text on a line of its own. */
export function printComment(text: string | undefined, indent = ""): string {
  if (text === undefined || text === "") return "";
  const lines = text.replaceAll("*/", "* /").split("\n");
  if (lines.length === 1) return `/** ${lines[0]} */\n${indent}`;
  return `/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join("\n")}\n${indent} */\n${indent}`;
}

function printArray({ items }: JsonSchema, side: Side, indent: string): string {
  if (typeof items !== "object" || Array.isArray(items)) throw new Error("the SDK has no type for a list of anything");
  const item = printType(items, side, indent);
  return / \| /.test(item) && !item.startsWith("{") ? `(${item})[]` : `${item}[]`;
}

function printObject(schema: JsonSchema, side: Side, indent: string): string {
  const { properties = {}, required = [], propertyNames, additionalProperties } = schema;
  if (propertyNames !== undefined && typeof propertyNames === "object" && typeof additionalProperties === "object") {
    return `Record<${printType(propertyNames, side)}, ${printType(additionalProperties, side, indent)}>`;
  }
  const deeper = `${indent}  `;
  // JSON has no undefined: in an answer the field is there or not.
  const absent = side === "input" ? " | undefined" : "";
  const fields = Object.entries(properties).map(([name, property]) => {
    if (typeof property === "boolean") throw new Error(`the SDK has no type for ${name}`);
    const comment = printComment(describe(property), deeper);
    const type = printType(property, side, deeper);
    return `${deeper}${comment}${name}${required.includes(name) ? `: ${type}` : `?: ${type}${absent}`};\n`;
  });
  return fields.length === 0 ? "Record<string, never>" : `{\n${fields.join("")}${indent}}`;
}

function describe({ description, default: fallback }: JsonSchema): string | undefined {
  if (fallback === undefined) return description;
  return `${description === undefined ? "" : `${description}；`}默认 ${JSON.stringify(fallback)}`;
}

function nameOf(reference: string): string {
  return reference.slice(reference.lastIndexOf("/") + 1);
}
