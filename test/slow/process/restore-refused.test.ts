import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { expect, test, vi } from "vitest";
import { configure, openStage, type Stage, signIn, TEST_LIMIT } from "../../harness/stage.ts";
import { ENCRYPTION_KEY, openTestStorage, TEST_SERVER_URL } from "../../harness/storage.ts";
import { allRows, tableNames } from "./backup-data.ts";
import { backup, type Outcome, restore } from "./commands.ts";

vi.setConfig({ testTimeout: 3 * TEST_LIMIT });

/** A gzip header's bytes of time and system say nothing about the content. */
const GZIP_HEADER = 10;

test("a damaged, foreign or newer file is refused with one line, and the database stays as it was", async () => {
  await using stage = await openStage({ hosts: 0 });
  const { file, write, rows } = await prepare(stage);
  const whole = readFileSync(file);
  const text = gunzipSync(whole).toString();
  const spoilt: readonly (readonly [string, string, RegExp])[] = [
    ["cut short", write(whole.subarray(0, -9)), /不完整或已损坏/],
    [
      "without its last line",
      write(gzipSync(text.slice(0, text.lastIndexOf("\n", text.length - 2)))),
      /不完整或已损坏/,
    ],
    ["with a line more", write(gzipSync(`${text}{}\n`)), /不完整或已损坏/],
    ["with a flipped bit", write(flipped(whole)), /不完整或已损坏|不是本产品的备份文件/],
    ["plain text", write(Buffer.from("select 1;\n")), /不是本产品的备份文件/],
    ["another's gzip", write(gzipSync('{"format":"another"}\n')), /不是本产品的备份文件/],
    ["not there", join(stage.storage.directory, "missing"), /无法读取/],
    ["of a newer format", write(changed(text, { '"formatVersion":1': '"formatVersion":2' })), /更新版本/],
    ["of a newer schema", write(changed(text, { '"schema":["': '"schema":["Initial","Later","' })), /更新版本/],
    [
      "with a row that fits no table",
      write(changed(text, { '"role": "super_admin"': '"role": "king"' })),
      /users 的数据无法写入/,
    ],
  ];
  for (const [what, path, says] of spoilt) {
    expectRefusal(await restore(stage.settings, path, "--replace"), says, what);
  }
  await unchanged(stage, rows);
});

test("a backup whose keys do not open with what is at hand is refused before anything changes; as an old key it does", async () => {
  await using stage = await openStage({ hosts: 0 });
  const { file, rows } = await prepare(stage);
  const other = randomBytes(32).toString("base64");
  const refused = await restore({ ...stage.settings, ENCRYPTION_KEY: other }, file, "--replace");
  expectRefusal(refused, /configs .*当前密钥.*ENCRYPTION_KEY/);
  await unchanged(stage, rows);

  const keys = { ENCRYPTION_KEY: other, ENCRYPTION_KEYS_OLD: ENCRYPTION_KEY };
  expect(await restore({ ...stage.settings, ...keys }, file, "--replace")).toMatchObject({ code: 0, stderr: [] });
  const once = await unchanged(stage, rows);

  expect(await restore(stage.settings, file, "--replace")).toMatchObject({ code: 0, stderr: [] });
  expect(await unchanged(stage, rows)).toBeGreaterThan(once);
});

test("data are replaced only when that is said, and never under a running server", async () => {
  await using stage = await openStage({ server: null, hosts: 0 });
  const { file, rows } = await prepare(stage);
  expectRefusal(await restore(stage.settings, file), /configs 有 1 行.*--replace/);

  const server = await stage.start();
  const root = await signIn(server.url);
  await configure(root, stage.provider, "后来的");
  expectRefusal(await restore(stage.settings, file, "--replace"), /正在被另一个进程|仍有服务进程/);
  expect((await root.get("/api/hosts/configs/list")).data).toHaveLength(2);
  const before = await eventPosition(stage);
  await server.kill("SIGTERM");

  expect(await restore(stage.settings, file, "--replace")).toMatchObject({ code: 0, stderr: [] });
  expect(await unchanged(stage, rows)).toBeGreaterThan(before);
});

test.skipIf(TEST_SERVER_URL === null)(
  "a running server is known whatever name its database's address gives it",
  async () => {
    await using stage = await openStage({ server: TEST_SERVER_URL, hosts: 0 });
    const { file, rows } = await prepare(stage);
    const named = new URL(stage.settings.DATABASE_URL ?? "");
    named.searchParams.set("application_name", "production");
    named.searchParams.set("options", "-c application_name=production");
    const server = await stage.start({ DATABASE_URL: named.href });
    expectRefusal(await restore(stage.settings, file, "--replace"), /仍有服务进程/);
    await server.kill("SIGTERM");
    await unchanged(stage, rows);
  },
);

test.skipIf(TEST_SERVER_URL === null)("a database of somebody else's is left alone, whatever is said", async () => {
  await using stage = await openStage({ server: TEST_SERVER_URL, hosts: 0 });
  const { file } = await prepare(stage);
  await using other = await openTestStorage({ server: TEST_SERVER_URL, bare: true });
  await other.query("create table users as select 'somebody' as name");
  expectRefusal(await restore(other.env, file, "--replace"), /users 不是本程序建立的/);
  expect(await tableNames(other)).toEqual(["users"]);
  expect(await other.query("select * from users")).toEqual([{ name: "somebody" }]);
});

interface Prepared {
  readonly file: string;
  readonly rows: Record<string, unknown>;
  /** A further file; answers its path. */
  write(content: Buffer): string;
}

/** A database with a configuration, and a backup of it; nothing runs on it. */
async function prepare(stage: Stage): Promise<Prepared> {
  await using server = await stage.start();
  await configure(await signIn(server.url), stage.provider);
  const rows = await allRows(stage.storage);
  const file = join(stage.storage.directory, "whole.backup");
  expect(await backup(stage.settings, file)).toMatchObject({ code: 0, stderr: [] });
  let written = 0;
  return {
    file,
    rows,
    write(content) {
      const path = join(stage.storage.directory, `${written++}.backup`);
      writeFileSync(path, content);
      return path;
    },
  };
}

/** The same rows, and a server that starts on them; answers how far the ids of its events are. */
async function unchanged(stage: Stage, rows: Record<string, unknown>): Promise<number> {
  await using server = await stage.start();
  expect(await allRows(stage.storage)).toEqual(rows);
  const position = await eventPosition(stage);
  expect((await (await signIn(server.url)).get("/api/hosts/configs/list")).data).toHaveLength(1);
  return position;
}

async function eventPosition({ storage }: Stage): Promise<number> {
  const [position] = await storage.query("select last_value::float8 as n from events_id_seq");
  return Number(position?.n);
}

function expectRefusal({ code, stdout, stderr }: Outcome, says: RegExp, what?: string): void {
  expect({ code, stdout, stderr }, what).toEqual({ code: 1, stdout: [], stderr: [expect.stringMatching(says)] });
}

function flipped(whole: Buffer): Buffer {
  const copy = Buffer.from(whole);
  const at = GZIP_HEADER + Math.floor(Math.random() * (copy.length - GZIP_HEADER));
  copy[at] = (copy[at] ?? 0) ^ (1 << Math.floor(Math.random() * 8));
  return copy;
}

/** An intact file in which these words stand for those. */
function changed(text: string, words: Readonly<Record<string, string>>): Buffer {
  let body = text;
  for (const [word, other] of Object.entries(words)) {
    expect(body).toContain(word);
    body = body.replace(word, other);
  }
  return gzipSync(body);
}
