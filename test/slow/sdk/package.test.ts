import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { appRouter } from "../../../src/server/app-router.ts";
import { listProcedures } from "../../../src/server/transport/rest/routes.ts";
import { PASSWORD, useApp } from "../../harness/app.ts";
import { type ConsumerProject, createConsumerProject } from "./consumer-project.ts";

const ROOT = join(import.meta.dirname, "../../..");
/** Beside the built package, below the sources' node_modules; built output is in nobody's way. */
const DIRECTORY = join(ROOT, "dist/sdk-check");
const VERBS = { query: "query", mutation: "mutate", subscription: "subscribe" } as const;

const app = useApp();
let project: ConsumerProject;

beforeAll(async () => {
  project = await createConsumerProject();
});
afterAll(async () => {
  await project?.[Symbol.asyncDispose]();
});

function read(file: string): string {
  return readFileSync(join(project.directory, "node_modules/host-console-sdk", file), "utf8");
}

describe("the package", () => {
  it("is JavaScript, types, a README, and needs @trpc/client alone", () => {
    const files = readdirSync(join(project.directory, "node_modules/host-console-sdk")).sort();
    expect(files).toEqual(["README.md", "index.d.ts", "index.js", "package.json"]);
    const { dependencies, ...manifest } = JSON.parse(read("package.json"));
    expect(Object.keys(dependencies)).toEqual(["@trpc/client"]);
    expect(manifest).toMatchObject({ type: "module", name: "host-console-sdk" });
    expect([...read("index.js").matchAll(/\bfrom "([^"]+)"/g)].map(([, from]) => from)).toEqual(["@trpc/client"]);
    expect(read("README.md")).toContain("createConsoleClient");
  });

  it("has types that import nothing", () => {
    expect(read("index.d.ts")).not.toMatch(/\bimport\b|\brequire\b|\breference\b|zod|mikro|express|\bany\b/);
  });

  it("has the types of the router", async () => {
    expect(await checkSameTypes(join(ROOT, "dist/sdk/index.d.ts"))).toEqual({ code: 0, output: "" });
  });
});

describe("an empty project with the package", () => {
  it("type-checks, the package's declarations included", async () => {
    expect(await project.typeCheck()).toEqual({ code: 0, output: "" });
  });

  it("signs in, follows a sync to its end, assigns a host and renews it", async () => {
    const configId = await app.config();
    const client = await app.account("client");
    const args = [app.url, configId, client.id, client.username, PASSWORD];
    expect(await project.runWorking(args)).toEqual({
      role: "super_admin",
      run: { status: "succeeded", seen: 60, total: 60 },
      progress: expect.any(Number),
      total: expect.any(Number),
      everything: 60,
      users: [client.id],
      moved: 30 * 86_400,
      refusal: "FORBIDDEN",
    });
  });
});

/** Has the compiler compare every input and answer of the declarations with those that tRPC infers; no output = all the same. */
async function checkSameTypes(declarations: string): Promise<{ code: number; output: string }> {
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
