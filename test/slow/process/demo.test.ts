import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import { startProgram } from "../../harness/programs.ts";
import { restClient } from "../../harness/rest.ts";
import { TEST_LIMIT } from "../../harness/stage.ts";

vi.setConfig({ testTimeout: TEST_LIMIT });

const READY = /演示已就绪：(http:\S+)/;
const scratch = mkdtempSync(join(tmpdir(), "host-console-demo-test-"));
afterAll(() => rmSync(scratch, { recursive: true }));

test("the demo keeps to a database of its own, whatever the machine's settings name, and leaves nothing behind", async () => {
  const [database, password] = [join(scratch, "database_url"), join(scratch, "admin_password")];
  writeFileSync(database, "postgres://console@127.0.0.1:1/in-use");
  writeFileSync(password, "Another1Password");
  const env = {
    PORT: "0",
    TMPDIR: scratch,
    DATABASE_URL_FILE: database,
    ADMIN_PASSWORD_FILE: password,
    LOG_LEVEL: "info",
  };
  await using demo = startProgram({ args: ["scripts/demo.ts"], env });
  const url = await demo.line(READY);
  const credentials = { username: "admin", password: await demo.line(/^ {2}超级管理员\tadmin\t(\S+)$/) };
  expect((await restClient(url).post("/api/auth/login", credentials)).status).toBe(200);

  // Twice, as an impatient user does.
  process.kill(demo.pid, "SIGINT");
  await demo.line(/"msg":"stopping"/);
  expect(await demo.kill("SIGINT")).toEqual({ code: 0, signal: null });
  expect(readdirSync(scratch).filter((name) => name.startsWith("host-console-demo-"))).toEqual([]);
});

test("SIGTERM to npm run demo stops its server and its provider, and leaves nothing behind", async () => {
  const env = { PORT: "0", TMPDIR: scratch };
  await using npm = startProgram({ file: "npm", args: ["run", "demo"], env });
  const url = await npm.line(READY);
  process.kill(npm.pid, "SIGTERM");
  // All of its processes share the output.
  await npm.exited;
  await expect(fetch(`${url}/healthz`)).rejects.toThrow();
  expect(readdirSync(scratch).filter((name) => name.startsWith("host-console-demo-"))).toEqual([]);
});
