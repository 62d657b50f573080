import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { watch } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { openEmbeddedDatabase } from "../../../src/server/platform/embedded-database/open.ts";
import { createSecretBox } from "../../../src/server/platform/secrets.ts";
import { MAIN_KEYS } from "../../../src/simulator/options.ts";
import { query } from "../../harness/database.ts";
import { holdLock } from "../../harness/hold-lock.ts";
import { outcomeOf, startServer } from "../../harness/programs.ts";
import { rounds } from "../../harness/rounds.ts";
import { insertSecondFactor, SECRET } from "../../harness/second-factor.ts";
import { signIn } from "../../harness/server-fixture.ts";
import { silentLog } from "../../harness/silent-log.ts";
import {
  ENCRYPTION_KEY,
  openTestStorage,
  TEST_SERVER_URL,
  type TestStorage,
} from "../../harness/storage.ts";
import { openFilled, refusalOf, rotateKeys, startAdmin } from "./commands.ts";

const NEW_KEY = randomBytes(32).toString("base64");
const BOTH = { ENCRYPTION_KEY: NEW_KEY, ENCRYPTION_KEYS_OLD: ENCRYPTION_KEY };
const CONFIGS = 300;
/** After the new key was written, in ms: on the first row, on others, or about the end. */
const KILLED_AFTER = [0, 200, 30, 1_000].slice(0, rounds(4, 2));

describe.skipIf(TEST_SERVER_URL === null)("a rotation", () => {
  test("seals everything anew with the present key, once", async () => {
    await using storage = await openFilled();
    const env = { ...storage.env, ...BOTH };

    expect(await rotateKeys(env)).toEqual({ resealed: 2, current: 0, unopenable: [] });
    expect(await rotateKeys(env)).toEqual({ resealed: 0, current: 2, unopenable: [] });
    expect(await openedKeys(storage, NEW_KEY)).toEqual([
      MAIN_KEYS.privateKey,
      MAIN_KEYS.privateKey,
    ]);
  });

  test("seals the secrets of second factors anew, too", async () => {
    await using storage = await openFilled();
    const [user] = await storage.query("select id from users limit 1");
    await insertSecondFactor(storage, String(user?.id));

    const rotated = await rotateKeys({ ...storage.env, ...BOTH });

    expect(rotated).toEqual({ resealed: 3, current: 0, unopenable: [] });
    const [row] = await storage.query("select id, secret_sealed as sealed from second_factors");
    const location = { table: "second_factors", row: String(row?.id), field: "secret" };
    const box = createSecretBox(Buffer.from(NEW_KEY, "base64"));
    expect(box.open(String(row?.sealed), location)).toBe(SECRET);
  });

  test("names what no key opens and leaves it, seals the rest anew, prints no secret", async () => {
    await using storage = await openFilled();
    const [good, bad] = await storage.query("select id from configs order by id");
    const stranger = createSecretBox(randomBytes(32));
    const foreign = stranger.seal("somebody's", {
      table: "configs",
      row: String(bad?.id),
      field: "private_key",
    });
    await storage.query("update configs set private_key_sealed = $1 where id = $2", [
      foreign,
      bad?.id,
    ]);

    const { code, stdout, stderr } = await outcomeOf(
      startAdmin({ ...storage.env, ...BOTH }, "rotate-keys"),
    );
    expect(code).toBe(1);
    expect(stdout).toEqual([expect.stringMatching(/加密 1 项.*当前密钥 0 项.*无法打开 1 项/)]);
    expect(stderr).toEqual([expect.stringContaining(`configs ${bad?.id}`)]);
    expect(stderr.join()).not.toContain(good?.id);
    for (const key of [NEW_KEY, ENCRYPTION_KEY])
      expect([...stdout, ...stderr].join()).not.toContain(key);
    const [left] = await storage.query(
      "select private_key_sealed as sealed from configs where id = $1",
      [bad?.id],
    );
    expect(left?.sealed).toBe(foreign);
  });

  test("lets servers go on working, and keeps a key that one saves meanwhile", async () => {
    await using storage = await openFilled();
    const configs = await storage.query("select id, api_url as url from configs order by id");
    const [first, second] = configs;
    const origins = configs.map(({ url }) => url).join(",");
    const settings = {
      ...storage.env,
      ...BOTH,
      PROVIDER_ALLOWED_ORIGINS: origins,
      LOG_LEVEL: "warn",
    };
    await using server = await startServer(settings);
    const root = await signIn(server.url);
    await using lock = await holdLock(
      storage,
      `select from configs where id = '${first?.id}' for update`,
    );
    const rotation = rotateKeys(settings);
    // It has read all rows and waits to write the first one.
    await lock.awaited();
    const answer = await root.put(`/api/hosts/configs/${second?.id}`, {
      privateKey: "saved-meanwhile",
    });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    await lock.release();
    expect(await rotation).toEqual({ resealed: 1, current: 1, unopenable: [] });
    expect(await openedKeys(storage, NEW_KEY)).toEqual([MAIN_KEYS.privateKey, "saved-meanwhile"]);
  });
});

test("the embedded database's own key is replaced with --new; killed, everything opens", async () => {
  await using storage = await openTestStorage({ server: null });
  const { env, directory } = storage;
  const dataDir = join(directory, "data");
  {
    await using database = await openEmbeddedDatabase({ dataDir, log: silentLog });
    await insertConfigs((sql, parameters = []) => query(database, sql, [...parameters]));
    expect(await refusalOf(rotateKeys(env))).toContain(`PID ${process.pid}`);
  }
  const refused = await outcomeOf(startAdmin(env, "rotate-keys", "--new"));
  expect(refused).toMatchObject({
    code: 1,
    stderr: [expect.stringContaining("ENCRYPTION_KEYS_OLD")],
  });

  const keyFile = join(dataDir, "encryption.key");
  writeFileSync(keyFile, `${ENCRYPTION_KEY}\n`, { mode: 0o600 });
  /** The current one first. */
  const keysInFile = () => readFileSync(keyFile, "utf8").trim().split("\n");
  const own = { ...env, ENCRYPTION_KEY: "" };
  expect(await rotateKeys(own, true)).toEqual({ resealed: CONFIGS, current: 0, unopenable: [] });
  const [first = "", ...before] = keysInFile();
  expect(before).toEqual([ENCRYPTION_KEY]);
  expect(first).not.toBe(ENCRYPTION_KEY);
  expect(statSync(keyFile).mode & 0o777).toBe(0o600);

  for (const [cycle, delay] of KILLED_AFTER.entries()) {
    await using rotation = startAdmin(own, "rotate-keys", "--new");
    await keyFileReplaced(dataDir);
    await sleep(delay);
    await rotation.kill("SIGKILL");
    expect(keysInFile()).toHaveLength(2);
    if (cycle === 0) expect(keysInFile()[1]).toBe(first);
  }
  const { resealed, current, unopenable } = await rotateKeys(own);
  expect([resealed + current, unopenable]).toEqual([CONFIGS, []]);
  expect(readdirSync(dataDir).filter((name) => name.startsWith("encryption.key"))).toEqual([
    "encryption.key",
  ]);
});

/** The private keys of all configurations; throws when one does not open. */
async function openedKeys({ query }: TestStorage, key: string): Promise<string[]> {
  const box = createSecretBox(Buffer.from(key, "base64"));
  const rows = await query("select id, private_key_sealed as sealed from configs order by id");
  return rows.map(({ id, sealed }) => box.open(String(sealed), place(String(id))));
}

/** Rows that a rotation takes some time for, each sealed in its own place. */
async function insertConfigs(run: TestStorage["query"]): Promise<void> {
  const box = createSecretBox(Buffer.from(ENCRYPTION_KEY, "base64"));
  const rows = Array.from({ length: CONFIGS }, (_, n) => {
    const id = `00000000-0000-7000-8000-${String(n).padStart(12, "0")}`;
    return { id, sealed: box.seal("copy", place(id)) };
  });
  await run(
    `insert into configs (id, name, public_key, private_key_sealed, api_url, default_region, created_at)
     select id, 'copy', 'public', sealed, 'http://127.0.0.1', 'cn-bj2', 1
     from jsonb_to_recordset($1) as copies (id uuid, sealed text)`,
    [JSON.stringify(rows)],
  );
}

function place(row: string) {
  return { table: "configs", row, field: "private_key" } as const;
}

async function keyFileReplaced(dataDir: string): Promise<void> {
  for await (const { filename } of watch(dataDir)) if (filename === "encryption.key") return;
}
