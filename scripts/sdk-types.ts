import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { z } from "zod";
import { appRouter } from "../src/server/app-router.ts";
import {
  type JsonSchema,
  nameOf,
  toJsonSchemas,
} from "../src/server/platform/http/rest/json-schemas.ts";
import { type ListedProcedure, listProcedures } from "../src/server/platform/http/rest/routes.ts";
import { FieldError } from "../src/shared/errors.ts";
import { StreamEvent } from "../src/shared/events.ts";
import { NoInput } from "../src/shared/ids.ts";

const PUBLIC_TYPES = join(import.meta.dirname, "../src/sdk/public-types.ts");
/** English comments of the main types; their fields have the comments of the API document. */
const ENGLISH: Readonly<Record<string, string>> = {
  Config: "Credentials and address of a provider account; the private key never leaves the server.",
  ConfigTest:
    "Result of a connection test; trouble at the provider is `connected: false`, not an error.",
  ErrorCode: "The closed list of error codes.",
  FieldError: "A refused field of an input: dotted path and a sentence in Chinese.",
  Host: "A virtual host, with the assignments that the caller may see. Memory in MB, disk in GB.",
  HostSummary: "Numbers of hosts that the caller may see, by status, region and expiry.",
  HostUser: "A client to whom a host is assigned, from `assignedAt` to `assignedExpireTime`.",
  Id: "A UUID, opaque to callers.",
  LoginAnswer: "A session, or for an account with a second factor a challenge.",
  OwnSession: "A sign-in of the caller that is still valid.",
  Pagination: "Page number (from 1), page size, and totals of the rows that the caller may see.",
  Renewal: "A client's request to extend an assignment by `requestedDuration` days.",
  SecondFactorChallenge: "Send the challenge with a code to `auth.secondFactor`.",
  SecuritySettings: "What is required of everybody's sign-in; for super admins.",
  Settings: "Settings of the whole console.",
  SignIn: "The session token and its user.",
  StreamEvent: "An event of the console; the caller receives those of rows in its scope.",
  SyncRun: "One synchronization of a configuration with the provider.",
  SyncRunError: "A problem of a sync run, where it occurred, and a sentence in Chinese.",
  UnixSeconds: "Seconds since 1970-01-01 UTC.",
  User: "An account. Passwords are never part of an answer.",
};
const KINDS = { query: "Query", mutation: "Mutation", subscription: "Subscription" } as const;

const FUNCTIONS = `/** Creates a client of one server; it connects at first use. Throws TypeError for a url that is not http or https. */
export declare function createConsoleClient(options: ConsoleClientOptions): ConsoleClient;

/** The code of a failed call; null for anything else, such as a server that did not answer. */
export declare function errorCode(error: unknown): ErrorCode | null;
`;

/** Calls that tRPC cannot carry, for which the client has methods of its own. */
function isFileCall({ answer, body }: ListedProcedure["meta"]): boolean {
  return answer !== undefined || body !== undefined;
}

/** The SDK's index.d.ts, printed from the schemas of the procedures: one file without imports. */
export function printDeclarations(): string {
  const procedures = listProcedures(appRouter);
  // The file of an upload is a parameter of its own; the filters of a download are named.
  const described = procedures.filter(({ meta }) => meta.body === undefined);
  const inputs = toJsonSchemas(
    "input",
    described.map(({ path, input }) => [path, input]),
  );
  const outputs = toJsonSchemas("output", [
    ...procedures.map((procedure): [string, z.ZodType] => [procedure.path, answerOf(procedure)]),
    ["failure", FieldError],
  ]);
  const callable = procedures.filter(({ meta }) => !isFileCall(meta));
  const calls = callable.map((procedure) => {
    const { path, input } = procedure;
    const [group = "", name = ""] = path.split(".");
    const sent = printInput(input, inputs.roots[path] ?? {});
    const answer = printType(outputs.roots[path] ?? {}, "    ");
    const received = procedure.type === "subscription" ? `{ id: string; data: ${answer} }` : answer;
    return {
      group,
      text: `    ${commentOf(procedure)}${name}: ${KINDS[procedure.type]}<${sent}, ${received}>;\n`,
    };
  });
  const groups = [...Map.groupBy(calls, ({ group }) => group)].map(
    ([group, members]) => `  ${group}: {\n${members.map(({ text }) => text).join("")}  };\n`,
  );
  const api = `/** Every call. Roles may make different calls and see different rows. */\nexport interface ConsoleApi {\n${groups.join("")}}\n`;
  const named = Object.entries({ ...inputs.named, ...outputs.named }).sort(([one], [other]) =>
    one < other ? -1 : 1,
  );
  const declarations = named.map(([name, schema]) =>
    printDeclaration(name, schema, !(name in outputs.named)),
  );
  return [FUNCTIONS, publicTypes(), api, ...declarations].join("\n");
}

/** The output schema of a subscription says only that there is a stream. */
function answerOf({ path, output }: ListedProcedure): z.ZodType {
  const answer = path === "events.stream" ? StreamEvent : output;
  if (answer === undefined) throw new Error(`${path} has no output schema`);
  return answer;
}

function publicTypes(): string {
  const text = readFileSync(PUBLIC_TYPES, "utf8");
  return text.slice(text.indexOf("export interface"));
}

function commentOf({ meta: { summary, description, rest } }: ListedProcedure): string {
  const texts = [summary, description, rest && `REST：\`${rest.method} ${rest.path}\``];
  return printComment(texts.filter(Boolean).join("\n"), "    ");
}

/** An input that may be left out is `void`, too. */
function printInput(input: z.ZodType, schema: JsonSchema): string {
  if (input === NoInput) return "void";
  return input.safeParse(undefined).success ? `${printType(schema)} | void` : printType(schema);
}

/** `isInput`: no answer has it. */
function printDeclaration(name: string, schema: JsonSchema, isInput: boolean): string {
  const isObject = Object.keys(schema.properties ?? {}).length > 0;
  const type = printType(schema, "", isInput);
  const declared = isObject ? `interface ${name} ${type}` : `type ${name} = ${type};`;
  const comment = [ENGLISH[name], schema.description].filter(Boolean).join("\n");
  return `${printComment(comment)}export ${declared}\n`;
}

/**
 * The TypeScript type of a schema. Optional fields of an input may also be undefined; JSON has no
 * undefined.
 */
function printType(schema: JsonSchema, indent = "", isInput = false): string {
  const { $ref, const: constant, enum: words, anyOf, oneOf = anyOf, type, items } = schema;
  if ($ref !== undefined) return nameOf($ref);
  if (constant !== undefined) return JSON.stringify(constant);
  if (words !== undefined) return words.map((word) => JSON.stringify(word)).join(" | ");
  if (oneOf !== undefined) return oneOf.map((each) => printType(each, indent, isInput)).join(" | ");
  if (typeof type === "object")
    return type.map((each) => printType({ ...schema, type: each }, indent, isInput)).join(" | ");
  if (type === "string" || type === "boolean" || type === "null") return type;
  if (type === "integer" || type === "number") return "number";
  if (type === "array" && items !== undefined) return `Array<${printType(items, indent, isInput)}>`;
  if (type === "object") return printObject(schema, indent, isInput);
  throw new Error(`the SDK has no type for ${JSON.stringify(schema)}`);
}

function printObject(
  { properties = {}, required = [] }: JsonSchema,
  indent: string,
  isInput: boolean,
): string {
  const deeper = `${indent}  `;
  const fields = Object.entries(properties).map(([name, property]) => {
    const type = printType(property, deeper, isInput);
    const typed = required.includes(name)
      ? `: ${type}`
      : `?: ${type}${isInput ? " | undefined" : ""}`;
    return `${deeper}${printComment(describe(property), deeper)}${name}${typed};\n`;
  });
  return fields.length === 0 ? "Record<string, never>" : `{\n${fields.join("")}${indent}}`;
}

function describe({ description, default: fallback }: JsonSchema): string {
  return [description, fallback === undefined ? undefined : `默认 ${JSON.stringify(fallback)}`]
    .filter(Boolean)
    .join("；");
}

/** TSDoc, or nothing. */
function printComment(text = "", indent = ""): string {
  if (text === "") return "";
  const lines = text.replaceAll("*/", "* /").split("\n");
  if (lines.length === 1) return `/** ${lines[0]} */\n${indent}`;
  return `/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join("\n")}\n${indent} */\n${indent}`;
}
