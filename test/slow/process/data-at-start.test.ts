import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { startServer, startServerProcess } from "../../harness/programs.ts";
import { configure, eventually, openStage, signIn, TEST_LIMIT } from "../../harness/stage.ts";
import { ENCRYPTION_KEY, openTestStorage } from "../../harness/storage.ts";

vi.setConfig({ testTimeout: TEST_LIMIT });

test("a data directory whose key file is missing or spoilt is refused and left exactly as it is", async () => {
  await using storage = await openTestStorage({ server: null });
  const { DATA_DIR = "" } = storage.env;
  const keyFile = join(DATA_DIR, "encryption.key");
  for (const content of [null, "c2hvcnQ=\n", ""]) {
    if (content === null) rmSync(keyFile, { force: true });
    else writeFileSync(keyFile, content);
    const before = fingerprint(DATA_DIR);
    await using server = startServerProcess({ DATA_DIR, LOG_LEVEL: "warn" });
    expect(await server.exited).toEqual({ code: 1, signal: null });
    expect(server.output).toEqual([expect.stringContaining(keyFile)]);
    expect(fingerprint(DATA_DIR)).toEqual(before);
  }
  writeFileSync(keyFile, `${ENCRYPTION_KEY}\n`);
  await using server = await startServer({ DATA_DIR, ADMIN_PASSWORD: "Correct1Horse" });
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
});

test("a key that does not open what is stored stops the start and touches nothing; as an old key it still opens", async () => {
  await using stage = await openStage({ hosts: 0 });
  const first = await stage.start();
  const root = await signIn(first.url);
  const id = await configure(root, stage.provider);
  await first.kill("SIGTERM");
  const otherKey = randomBytes(32).toString("base64");

  await using refused = startServerProcess({ ...stage.settings, ENCRYPTION_KEY: otherKey });
  expect(await refused.exited).toEqual({ code: 1, signal: null });
  expect(refused.output).toEqual([expect.stringMatching(/configuration .*ENCRYPTION_KEY/)]);
  expect(refused.output[0]).toContain(id);

  const rotated = await stage.start({ ENCRYPTION_KEY: otherKey, ENCRYPTION_KEYS_OLD: ENCRYPTION_KEY });
  const again = await signIn(rotated.url);
  expect((await again.post(`/api/hosts/configs/${id}/test`)).data).toMatchObject({ connected: true });
  await rotated.kill("SIGTERM");

  const back = await stage.start();
  expect((await (await signIn(back.url)).post(`/api/hosts/configs/${id}/test`)).data.connected).toBe(true);
});

test("a queue that cannot be opened ends the server and says why, for nothing would ever be synced", async () => {
  await using stage = await openStage({ hosts: 0 });
  const first = await stage.start();
  // The queue is made after the first calls are answered.
  await eventually(() => stage.storage.query("alter table pgboss.queue rename to queue_hidden"));
  await first.kill("SIGTERM");
  await using second = startServerProcess(stage.settings);
  expect(await second.exited).toEqual({ code: 1, signal: null });
  expect(second.output.filter((line) => /"level":60/.test(line))).toEqual([expect.stringMatching(/pgboss.queue/)]);
  expect(second.output.join("\n")).not.toMatch(/unhandled/i);
});

/** Every file with its content and the time of its last change. */
function fingerprint(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((path) => {
      const { mtimeMs, mode, size } = statSync(path);
      const content = size < 100 && statSync(path).isFile() ? readFileSync(path, "hex") : "";
      return `${path} ${mtimeMs} ${mode} ${size} ${content}`;
    });
}
