import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { ENCRYPTION_KEY, openPlace, POSTGRESQL } from "../../harness/place.ts";
import { startServer, startServerProcess } from "../../harness/programs.ts";
import { configure, eventually, openStage, signIn, TEST_LIMIT, within } from "../../harness/stage.ts";

vi.setConfig({ testTimeout: TEST_LIMIT });

/** "At once", on a busy machine, in ms. */
const AT_ONCE = 5_000;

describe.skipIf(POSTGRESQL !== undefined)("a data directory", () => {
  test("in use is refused at once by name, its owner goes on, and it is taken over when that was killed", async () => {
    await using stage = await openStage({ hosts: 0 });
    const { settings } = stage;
    const owner = await stage.start();
    const began = performance.now();
    await using second = startServerProcess(settings);
    expect(await second.exited).toEqual({ code: 1, signal: null });
    expect(performance.now() - began).toBeLessThan(within(AT_ONCE));
    expect(second.output).toEqual([
      expect.stringMatching(`^数据目录 ${settings.DATA_DIR} 正在被另一个进程（PID ${owner.pid}）使用：请`),
    ]);
    const root = await signIn(owner.url);
    expect((await root.get("/api/users")).status).toBe(200);

    await owner.kill("SIGKILL");
    const heir = await stage.start();
    expect((await (await signIn(heir.url)).get("/api/users")).data.pagination.total).toBe(1);
  });

  test("made by another PostgreSQL is refused with instructions and left exactly as it is", async () => {
    await using place = await openPlace();
    const dataDir = place.env.DATA_DIR ?? "";
    writeFileSync(join(dataDir, "pg/PG_VERSION"), "17\n");
    const before = fingerprint(dataDir);
    await using server = startServerProcess({ ...place.env, LOG_LEVEL: "warn" });
    expect(await server.exited).toEqual({ code: 1, signal: null });
    expect(server.output).toEqual([
      expect.stringMatching(`${dataDir}.* PostgreSQL 17 .*npm run backup.*npm run restore`),
    ]);
    expect(fingerprint(dataDir)).toEqual(before);
  });

  test("whose key file is missing or spoilt is refused and left exactly as it is", async () => {
    await using place = await openPlace();
    const { DATA_DIR = "" } = place.env;
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
  await eventually(() => stage.place.query("alter table pgboss.queue rename to queue_hidden"));
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
