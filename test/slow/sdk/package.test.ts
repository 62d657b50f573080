import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PASSWORD, useApp } from "../../harness/app.ts";
import { MISTAKEN_PROGRAM, MISTAKES } from "./consumer-programs.ts";
import { type ConsumerProject, createConsumerProject, type Outcome } from "./consumer-project.ts";
import { checkSameTypes } from "./same-types.ts";

const ROOT = join(import.meta.dirname, "../../..");
/** The compilers in use besides our own; fetched from the registry, so only on demand. */
const OLDER_COMPILERS = ["5.9.3", "6.0.3"];

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

  it("has types that lean on nothing", () => {
    expect(read("index.d.ts")).not.toMatch(/\bimport\b|\brequire\b|\breference\b|zod|mikro|express|\bany\b/);
  });

  it("has the very types of the router", async () => {
    expect(await checkSameTypes(join(ROOT, "dist/sdk/index.d.ts"))).toEqual({ code: 0, output: "" });
  });
});

describe("an empty project with the package", () => {
  const ours = join(ROOT, "node_modules/typescript/bin/tsc");

  it("type-checks, the package's declarations included", async () => {
    expect(await project.typeCheck("working.ts", ours)).toEqual({ code: 0, output: "" });
  });

  it("reports every mistake", async () => {
    expectEveryMistake(await project.typeCheck("mistaken.ts", ours));
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

describe.runIf(process.env.SDK_TYPESCRIPTS === "1")("an older compiler", () => {
  it.each(OLDER_COMPILERS)("TypeScript %s agrees", { timeout: 120_000 }, async (version) => {
    await project.install([`typescript@${version}`]);
    const compiler = join(project.directory, "node_modules/typescript/bin/tsc");
    expect(await project.typeCheck("working.ts", compiler)).toEqual({ code: 0, output: "" });
    expectEveryMistake(await project.typeCheck("mistaken.ts", compiler));
  });
});

function expectEveryMistake({ code, output }: Outcome): void {
  expect(code).not.toBe(0);
  const lines = MISTAKEN_PROGRAM.split("\n");
  const found = [...output.matchAll(/^mistaken\.ts\((\d+),/gm)].map(([, line]) => lines[Number(line) - 1]);
  expect([...new Set(found)]).toEqual([...MISTAKES]);
  expect(output).not.toContain("index.d.ts(");
}
