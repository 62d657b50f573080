import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { POSTGRESQL } from "./place.ts";
import { openStage, type Stage, signIn, TEST_LIMIT } from "./programs.ts";

vi.setConfig({ testTimeout: TEST_LIMIT });

const OPENED = /"compiledCode":(\d+),"msg":"embedded database opened"/;
/** Far less than PostgreSQL's start alone has compiled well. */
const SOME = 500_000;

describe.skipIf(POSTGRESQL !== undefined)("the embedded database's compiled code", () => {
  let stage: Stage;
  let compiled: string;

  beforeAll(async () => {
    stage = await openStage();
    compiled = await mkdtemp(join(tmpdir(), "compiled-"));
  }, TEST_LIMIT);
  afterAll(async () => {
    await stage[Symbol.asyncDispose]();
    await rm(compiled, { recursive: true, force: true });
  });

  test("is left by a server that stops and taken by the next one", async () => {
    expect(await startAndStop()).toBe(0);
    const left = await readFile(await pathOfCode());
    expect(await startAndStop()).toBe(left.length - 32);
    expect(left.length).toBeGreaterThan(SOME);
  });

  test.each([
    { what: "damaged", damage: (code: Buffer) => code.fill(0xff, code.length >> 1, (code.length >> 1) + 8) },
    { what: "cut off", damage: (code: Buffer) => code.subarray(0, code.length >> 1) },
    { what: "empty", damage: () => Buffer.alloc(0) },
  ])("is made anew where what was left is $what", async ({ damage }) => {
    const path = await pathOfCode();
    await writeFile(path, damage(await readFile(path)));
    expect(await startAndStop()).toBe(0);
    expect(await startAndStop()).toBeGreaterThan(SOME);
    expect((await readdir(join(path, ".."))).filter((name) => name.startsWith("pglite"))).toEqual(["pglite.code"]);
  });

  /** The bytes that it found. */
  async function startAndStop(): Promise<number> {
    await using server = await stage.start({ LOG_LEVEL: "debug", NODE_COMPILE_CACHE: compiled });
    const found = Number(await server.line(OPENED));
    const root = await signIn(server.url);
    expect((await root.get("/api/hosts")).status).toBe(200);
    expect(await server.kill("SIGTERM")).toEqual({ code: 0, signal: null });
    return found;
  }

  /** Node names a directory for its version, the processor and V8's flags. */
  async function pathOfCode(): Promise<string> {
    const [directory = ""] = await readdir(compiled);
    return join(compiled, directory, "pglite.code");
  }
});
