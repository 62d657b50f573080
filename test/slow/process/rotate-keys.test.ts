import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { watch } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test, vi } from "vitest";
import { createSecretBox } from "../../../src/server/core/secrets.ts";
import { startServerProcess } from "../../harness/programs.ts";
import { configure, openStage, type Stage, signIn, TEST_LIMIT } from "../../harness/stage.ts";
import { ENCRYPTION_KEY, TEST_SERVER_URL, type TestStorage } from "../../harness/storage.ts";
import { rounds } from "../faults/rounds.ts";
import { rotateKeys, startCommand } from "./commands.ts";

vi.setConfig({ testTimeout: 3 * TEST_LIMIT });

const NEW_KEY = randomBytes(32).toString("base64");
const BOTH = { ENCRYPTION_KEY: NEW_KEY, ENCRYPTION_KEYS_OLD: ENCRYPTION_KEY };
const COPIES = 300;
/** After the new key was written, in ms: on the first row, on others, or about the end. */
const KILLED_AFTER = [0, 200, 30, 1_000].slice(0, rounds(4, 2));

test("everything is sealed anew with the present key, once; then a server needs the old one no more", async () => {
  await using stage = await openStage({ hosts: 0 });
  const ids = await withConfigs(stage, 2);
  const done = await rotateKeys({ ...stage.settings, ...BOTH });
  expect(done).toEqual({
    code: 0,
    stderr: [],
    stdout: [expect.stringMatching(/加密 2 项.*当前密钥 0 项.*无法打开 0 项/)],
  });
  const again = await rotateKeys({ ...stage.settings, ...BOTH });
  expect(again).toEqual({
    code: 0,
    stderr: [],
    stdout: [expect.stringMatching(/加密 0 项.*当前密钥 2 项.*无法打开 0 项/)],
  });

  await allConnect(stage, ids, { ENCRYPTION_KEY: NEW_KEY });
  await using refused = startServerProcess(stage.settings);
  expect(await refused.exited).toEqual({ code: 1, signal: null });
  expect(refused.output).toEqual([expect.stringContaining("ENCRYPTION_KEY")]);
});

test("what no key opens is named and left as it is, the rest is sealed anew, and no secret is said", async () => {
  await using stage = await openStage({ hosts: 0 });
  const [good = "", bad = ""] = await withConfigs(stage, 2);
  const stranger = createSecretBox(randomBytes(32));
  const foreign = stranger.seal("somebody's", { table: "configs", row: bad, field: "private_key" });
  await whileRunning(stage, ({ query }) =>
    query("update configs set private_key_sealed = $1 where id = $2", [foreign, bad]),
  );

  const { code, stdout, stderr } = await rotateKeys({ ...stage.settings, ...BOTH });
  expect(code).toBe(1);
  expect(stdout).toEqual([expect.stringMatching(/加密 1 项.*当前密钥 0 项.*无法打开 1 项/)]);
  expect(stderr).toEqual([expect.stringContaining(`configs ${bad}`)]);
  expect(stderr.join()).not.toContain(good);
  for (const key of [NEW_KEY, ENCRYPTION_KEY]) expect([...stdout, ...stderr].join()).not.toContain(key);
});

test.skipIf(TEST_SERVER_URL === null)(
  "servers go on working and saving keys meanwhile, and what they save is not lost",
  async () => {
    await using stage = await openStage({ server: TEST_SERVER_URL, hosts: 0 });
    const [id = ""] = await withConfigs(stage, 1);
    await copyConfig(stage.storage, id, COPIES);
    const server = await stage.start(BOTH);
    const root = await signIn(server.url);
    let isOver = false;
    const rotation = rotateKeys({ ...stage.settings, ...BOTH }).finally(() => {
      isOver = true;
    });
    let saved = 0;
    for (; !isOver; saved++) {
      const answer = await root.put(`/api/hosts/configs/${id}`, { privateKey: `saved-${saved}` });
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    }
    expect(await rotation).toMatchObject({ code: 0, stderr: [] });
    expect(saved).toBeGreaterThan(1);

    const [row] = await stage.storage.query("select private_key_sealed as sealed from configs where id = $1", [id]);
    const box = createSecretBox(Buffer.from(NEW_KEY, "base64"));
    expect(box.open(String(row?.sealed), { table: "configs", row: id, field: "private_key" })).toBe(
      `saved-${saved - 1}`,
    );
  },
);

describe("the key that the embedded database made for itself", () => {
  test("is replaced with --new and stays beside the new one until the next rotation; a configured key is not replaced", async () => {
    await using stage = await openStage({ server: null, hosts: 0 });
    const ids = await withConfigs(stage, 1);
    expect(await rotateKeys(stage.settings, "--new")).toMatchObject({
      code: 1,
      stderr: [expect.stringContaining("ENCRYPTION_KEYS_OLD")],
    });
    const keyFile = ownKey(stage);
    expect(await rotateKeys(generated(stage), "--new")).toMatchObject({ code: 0, stderr: [] });
    const [current, ...previous] = keysIn(stage);
    expect(current).toMatch(/^[\w+/]{43}=$/);
    expect(previous).toEqual([ENCRYPTION_KEY]);
    expect(statSync(keyFile).mode & 0o777).toBe(0o600);
    await allConnect(stage, ids, { ENCRYPTION_KEY: "" });
    expect(await rotateKeys(generated(stage), "--new")).toMatchObject({ code: 0, stderr: [] });
    expect(keysIn(stage).slice(1)).toEqual([current]);
    await using server = await stage.start({ ENCRYPTION_KEY: "" });
    expect(await rotateKeys(generated(stage), "--new")).toMatchObject({
      code: 1,
      stderr: [expect.stringContaining(`PID ${server.pid}`)],
    });
  });

  test("can be rotated again and again and killed at any moment: the server starts, and everything opens", async () => {
    await using stage = await openStage({ server: null, hosts: 0 });
    const [id = ""] = await withConfigs(stage, 1);
    ownKey(stage);
    await whileRunning(stage, (storage) => copyConfig(storage, id, COPIES));
    for (const [cycle, delay] of KILLED_AFTER.entries()) {
      await using rotation = startCommand("rotate-keys", generated(stage), ["--new"]);
      await keyFileReplaced(stage);
      await sleep(delay);
      await rotation.kill("SIGKILL");
      if (cycle === 0) expect(keysIn(stage)).toHaveLength(2);
      await whileRunning(stage, () => Promise.resolve());
    }
    expect(await rotateKeys(generated(stage))).toMatchObject({ code: 0, stderr: [] });
    await allConnect(stage, [id], { ENCRYPTION_KEY: "" });
    expect(readdirSync(stage.settings.DATA_DIR ?? "").filter((name) => name.startsWith("encryption.key"))).toEqual([
      "encryption.key",
    ]);
  });
});

/** Makes configurations on a server that is stopped again; answers their ids. */
async function withConfigs(stage: Stage, count: number): Promise<string[]> {
  const server = await stage.start();
  const root = await signIn(server.url);
  const ids: string[] = [];
  for (let n = 0; n < count; n++) ids.push(await configure(root, stage.provider, `账号${n}`));
  await server.kill("SIGTERM");
  return ids;
}

async function allConnect(stage: Stage, ids: readonly string[], more: Readonly<Record<string, string>>): Promise<void> {
  const server = await stage.start(more);
  const root = await signIn(server.url);
  for (const id of ids) {
    expect((await root.post(`/api/hosts/configs/${id}/test`)).data).toMatchObject({ connected: true });
  }
  await server.kill("SIGTERM");
}

/** The embedded database answers only while a server runs, which also says that one starts. */
async function whileRunning(stage: Stage, work: (storage: TestStorage) => Promise<unknown>): Promise<void> {
  const keys = keysIn(stage).length > 0 ? { ENCRYPTION_KEY: "" } : {};
  const server = await stage.start(keys);
  await work(stage.storage);
  await server.kill("SIGTERM");
}

/** Further rows with the key of this one, each sealed in its own place. */
async function copyConfig({ query }: TestStorage, id: string, count: number): Promise<void> {
  const box = createSecretBox(Buffer.from(ENCRYPTION_KEY, "base64"));
  for (let n = 0; n < count; n++) {
    const row = `00000000-0000-7000-8000-${String(n).padStart(12, "0")}`;
    await query(
      `insert into configs (id, name, public_key, private_key_sealed, api_url, default_region, created_at)
       select $1, name, public_key, $2, api_url, default_region, created_at from configs where id = $3`,
      [row, box.seal("copy", { table: "configs", row, field: "private_key" }), id],
    );
  }
}

/** As if the embedded mode had made the key of these stories itself; answers the file. */
function ownKey(stage: Stage): string {
  const path = join(stage.settings.DATA_DIR ?? "", "encryption.key");
  writeFileSync(path, `${ENCRYPTION_KEY}\n`, { mode: 0o600 });
  return path;
}

function generated(stage: Stage): Readonly<Record<string, string>> {
  return { ...stage.settings, ENCRYPTION_KEY: "" };
}

/** Resolves when the next key file is in place. */
async function keyFileReplaced({ settings }: Stage): Promise<void> {
  for await (const { filename } of watch(settings.DATA_DIR ?? "")) if (filename === "encryption.key") return;
}

/** The keys in the key file, the current one first. */
function keysIn(stage: Stage): string[] {
  try {
    return readFileSync(join(stage.settings.DATA_DIR ?? "", "encryption.key"), "utf8")
      .trim()
      .split("\n");
  } catch {
    return [];
  }
}
