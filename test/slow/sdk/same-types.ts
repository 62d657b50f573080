import { execFile } from "node:child_process";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { promisify } from "node:util";
import { appRouter } from "../../../src/server/app-router.ts";
import { listProcedures } from "../../../src/server/transport/rest/routes.ts";

const ROOT = join(import.meta.dirname, "../../..");
/** Beside the built package, below the sources' node_modules; built output is in nobody's way. */
const DIRECTORY = join(ROOT, "dist/sdk-check");
const VERBS = { query: "query", mutation: "mutate", subscription: "subscribe" } as const;

/** Has the compiler compare every input and answer of the declarations with those that tRPC infers; no output = all the same. */
export async function checkSameTypes(declarations: string): Promise<{ code: number; output: string }> {
  await mkdir(DIRECTORY, { recursive: true });
  const file = join(DIRECTORY, "check.ts");
  const config = { extends: "../../tsconfig.base.json", include: ["check.ts"] };
  await writeFile(join(DIRECTORY, "tsconfig.json"), JSON.stringify(config));
  await writeFile(file, comparison(relative(DIRECTORY, declarations)));
  try {
    await promisify(execFile)(join(ROOT, "node_modules/.bin/tsc"), ["--noEmit", "--pretty", "false", "-p", DIRECTORY]);
    return { code: 0, output: "" };
  } catch (error) {
    return { code: 1, output: error instanceof Error && "stdout" in error ? String(error.stdout) : String(error) };
  } finally {
    await rm(DIRECTORY, { recursive: true, force: true });
  }
}

function comparison(declarations: string): string {
  const lines = listProcedures(appRouter).map(({ path, type }) => {
    const [group = "", name = ""] = path.split(".");
    const call = `["${group}"]["${name}"]["${VERBS[type]}"]`;
    const compared = type === "subscription" ? "Received" : "Answered";
    const alias = path.replace(".", "_");
    return `export const ${alias}: [Same<Input<Built${call}>, Input<Inferred${call}>>, Same<${compared}<Built${call}>, ${compared}<Inferred${call}>>] = [true, true];`;
  });
  return `import type { TRPCClient } from "@trpc/client";
import type { AppRouter } from "../../src/server/app-router.ts";
import type * as source from "../../src/sdk/index.ts";
import type * as built from "./${declarations}";

type Inferred = TRPCClient<AppRouter>;
type Built = built.ConsoleApi;
type Input<Call extends (...args: never) => unknown> = Exclude<Parameters<Call>[0], void | undefined | Record<string, never>>;
type Answered<Call extends (...args: never) => unknown> = Awaited<ReturnType<Call>>;
type Listener<Of> = Of extends { onData?: infer Found } ? Exclude<Found, undefined> : never;
type Received<Call extends (...args: never) => unknown> =
  Listener<Parameters<Call>[1]> extends (received: infer Value) => void ? Value : never;
type Flat<Value> = Value extends object ? { [Key in keyof Value]: Flat<Value[Key]> } : Value;
type Same<One, Other> =
  (<Any>() => Any extends Flat<One> ? 1 : 2) extends <Any>() => Any extends Flat<Other> ? 1 : 2 ? true : false;

${lines.join("\n")}
export type Groups = Same<keyof Built, Exclude<keyof Inferred, symbol>>;
export const groups: Groups = true;
declare const implemented: typeof source;
export const published: typeof built = implemented;
`;
}
