import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import { ROOT, startProgram } from "../../harness/programs.ts";
import { TEST_LIMIT } from "../../harness/stage.ts";

vi.setConfig({ testTimeout: TEST_LIMIT });

const directory = mkdtempSync(join(tmpdir(), "host-console-install-"));
afterAll(() => rmSync(directory, { recursive: true }));

test("without node_modules npm start says to run npm ci", async () => {
  const copy = copyOf("bare", ["scripts/check-node.mjs"]);
  expect(await outcome([join(copy, "scripts/check-node.mjs")])).toEqual({
    code: 1,
    output: ["尚未安装依赖：请先运行 npm ci。"],
  });
});

test("a Node that is too old is named in one line", async () => {
  const copy = copyOf("old", ["scripts/check-node.mjs"]);
  mkdirSync(join(copy, "node_modules"));
  const older = `data:text/javascript,Object.defineProperty(process.versions, "node", { value: "20.19.0" })`;
  const { code, output } = await outcome(["--import", older, join(copy, "scripts/check-node.mjs")]);
  expect({ code, output }).toEqual({
    code: 1,
    output: [expect.stringMatching(/^需要 Node\.js 24 .*当前是 20\.19\.0/)],
  });
});

test("without a built console and without Vite npm start says to build it", async () => {
  const copy = copyOf("production", ["scripts/build-console.ts", "package.json"]);
  const { code, output } = await outcome([join(copy, "scripts/build-console.ts")]);
  expect({ code, output }).toEqual({
    code: 1,
    output: [expect.stringMatching(/^控制台尚未构建.*npm ci && npm run build/)],
  });
});

test("without the native part of argon2 the server says to run npm ci", async () => {
  const hook = `data:text/javascript,import { registerHooks } from "node:module";
    registerHooks({ load(url, context, next) {
      if (!url.endsWith("/argon2/argon2.cjs")) return next(url, context);
      return { format: "commonjs", shortCircuit: true, source: "throw new Error('No native build was found for platform=linux')" };
    } });`;
  const env = { DATA_DIR: join(directory, "data"), LOG_LEVEL: "warn" };
  const { code, output } = await outcome(["--import", hook, join(ROOT, "src/server/main.ts")], env);
  expect({ code, output }).toEqual({ code: 1, output: [expect.stringMatching(/^缺少 argon2 .*npm ci/)] });
});

/** A directory with these files of the project alone. */
function copyOf(name: string, files: readonly string[]): string {
  const copy = join(directory, name);
  for (const file of files) cpSync(join(ROOT, file), join(copy, file), { recursive: true });
  return copy;
}

async function outcome(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  await using program = startProgram({ args, env });
  const { code } = await program.exited;
  return { code, output: program.output };
}
