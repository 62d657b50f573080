import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { z } from "zod";
import { appRouter } from "../../src/server/app-router.ts";
import { describeFields } from "../../src/server/rest/openapi-glossary.ts";
import { type ListedProcedure, listProcedures } from "../../src/server/rest/procedures.ts";
import { FieldError } from "../../src/shared/errors.ts";
import { StreamEvent } from "../../src/shared/events.ts";
import { NoInput } from "../../src/shared/ids.ts";
import { printComment, printDeclaration, printType } from "./print-type.ts";
import { createSchemaSource, type SchemaSource } from "./schemas.ts";

const PUBLIC_TYPES = join(import.meta.dirname, "../../src/sdk/public-types.ts");

/** What a subscription sends: its output schema says only that there is a stream. */
const STREAMED: Readonly<Record<string, z.ZodType>> = { "events.stream": StreamEvent };

const FUNCTIONS = `/** A typed client of one server. It opens nothing until it is used; throws TypeError for a url that is not http or https. */
export declare function createConsoleClient(options: ConsoleClientOptions): ConsoleClient;

/** The contract's code of a call that failed; null for everything else, a server that did not answer included. */
export declare function errorCode(error: unknown): ErrorCode | null;
`;

/**
 * The package's index.d.ts: one file that imports nothing. The compiler would spell the router out with the server's context, its
 * database and its schema library; here the calls are printed from the schemas that the procedures check.
 */
export async function printDeclarations(): Promise<string> {
  const source = await createSchemaSource();
  const api = printApi(source);
  source.describe(FieldError, "output");
  const shapes = [...source.named]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, { schema, side }]) => printDeclaration(name, describeFields(name, schema), side));
  return [FUNCTIONS, readPublicTypes(), api, ...shapes].join("\n");
}

function readPublicTypes(): string {
  const text = readFileSync(PUBLIC_TYPES, "utf8");
  return text.slice(text.indexOf("export interface"));
}

function printApi(source: SchemaSource): string {
  const groups = Map.groupBy(listProcedures(appRouter), ({ path }) => path.slice(0, path.indexOf(".")));
  const printed = [...groups].map(
    ([group, procedures]) =>
      `  ${group}: {\n${procedures.map((procedure) => printProcedure(procedure, source)).join("")}  };\n`,
  );
  return `/** Every call, with who may make it decided by the server. */\nexport interface ConsoleApi {\n${printed.join("")}}\n`;
}

const KINDS = { query: "Query", mutation: "Mutation", subscription: "Subscription" } as const;

function printProcedure({ path, type, meta, input, output }: ListedProcedure, source: SchemaSource): string {
  const indent = "    ";
  const { summary, description, rest } = meta;
  const texts = [summary, description, rest === undefined ? undefined : `REST：\`${rest.method} ${rest.path}\``];
  const comment = printComment(texts.filter((text) => text !== undefined).join("\n"), indent);
  const answer = type === "subscription" ? STREAMED[path] : output;
  if (answer === undefined) throw new Error(`${path} does not say what it answers`);
  const answered = printType(source.describe(answer, "output"), "output", indent);
  const received = type === "subscription" ? `{ id: string; data: ${answered} }` : answered;
  const name = path.slice(path.indexOf(".") + 1);
  return `${indent}${comment}${name}: ${KINDS[type]}<${printInput(input, source)}, ${received}>;\n`;
}

/** An input that may be left out is `void`, beside what it may be. */
function printInput(input: z.ZodType | undefined, source: SchemaSource): string {
  if (input === undefined || input === NoInput) return "void";
  const type = printType(source.describe(input, "input"), "input");
  return input.safeParse(undefined).success ? `${type} | void` : type;
}
