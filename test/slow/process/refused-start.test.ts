import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkHost } from "../../../src/server/platform/environment/check-host.ts";
import { readConfig } from "../../../src/server/platform/environment/config.ts";
import { openStorage } from "../../../src/server/storage.ts";
import { createDatabase } from "../../harness/database.ts";
import { useLogLines } from "../../harness/log-lines.ts";
import { outcomeOf, startServerProcess } from "../../harness/programs.ts";
import { silentLog } from "../../harness/silent-log.ts";
import { ENCRYPTION_KEY, openTestStorage, TEST_SERVER_URL } from "../../harness/storage.ts";
import { openFilled, refusalOf } from "../operations/commands.ts";

type Settings = Readonly<Record<string, string>>;

const BAD_SETTINGS = { PORT: "65536", ADMIN_PASSWORD: "weak", TRUST_PROXY: "10.0.0.0/33" };
const UNREACHABLE = "postgres://somebody:secret-word@127.0.0.1:1/nowhere";

test("bad settings stop the start with one line each, before anything is created", async () => {
  await using storage = await openTestStorage({ bare: true, server: null });
  const dataDir = join(storage.directory, "untouched");

  const { code, stdout, stderr } = await outcomeOf(
    startServerProcess({ ...BAD_SETTINGS, DATA_DIR: dataDir }),
  );

  expect([code, stdout]).toEqual([1, []]);
  expect(stderr.map((line) => line.split(":")[0]).sort()).toEqual(Object.keys(BAD_SETTINGS).sort());
  expect(existsSync(dataDir)).toBe(false);
});

test("a HOST that is not of this machine stops the start before anything is created", async () => {
  await using storage = await openTestStorage({ bare: true, server: null });
  const dataDir = join(storage.directory, "untouched");

  const line = await oneLine({ DATA_DIR: dataDir, HOST: "192.0.2.1" });

  expect(line).toMatch(/^HOST: cannot listen on 192\.0\.2\.1 \(.+\)$/);
  expect(existsSync(dataDir)).toBe(false);
  expect(await refusalOf(checkHost("no-such-host.invalid"))).toMatch(
    /^HOST: cannot listen on no-such-host\.invalid /,
  );
});

test("a data directory whose key file is missing or spoilt is refused and left alone", async () => {
  await using storage = await openTestStorage({ server: null });
  const { DATA_DIR = "" } = storage.env;
  const keyFile = join(DATA_DIR, "encryption.key");
  const before = fingerprint(DATA_DIR);
  expect(await oneLine({ DATA_DIR })).toContain(keyFile);
  for (const content of ["c2hvcnQ=\n", ""]) {
    writeFileSync(keyFile, content);
    expect(await refusalOf(open({ DATA_DIR }))).toContain(keyFile);
    rmSync(keyFile);
  }
  expect(fingerprint(DATA_DIR)).toEqual(before);
});

test.skipIf(TEST_SERVER_URL === null)(
  "a key that does not open what is stored stops the start",
  async () => {
    await using storage = await openFilled();
    const [config] = await storage.query("select id from configs order by id");

    const line = await oneLine({
      ...storage.env,
      ENCRYPTION_KEY: randomBytes(32).toString("base64"),
    });

    expect(line).toMatch(/configs .*ENCRYPTION_KEY/);
    expect(line).toContain(config?.id);
  },
);

test("a database that is not there stops the start", async () => {
  const line = await oneLine({ DATABASE_URL: UNREACHABLE, ENCRYPTION_KEY, LOG_LEVEL: "warn" });
  expect(line).toMatch(/^DATABASE_URL: .*ECONNREFUSED/);
  expect(line).not.toContain("secret-word");
  const DATABASE_URL = `${UNREACHABLE}?sslmode=verify-full&sslrootcert=/nonexistent/ca.pem`;
  expect(await refusalOf(open({ DATABASE_URL, ENCRYPTION_KEY }))).toMatch(
    /^DATABASE_URL: .*ENOENT.*ca\.pem/,
  );
});

test.skipIf(TEST_SERVER_URL === null)(
  "a database that its user may not write stops the start",
  async () => {
    await using storage = await openTestStorage({ bare: true });
    const role = `reader_${process.pid}`;
    await storage.query(`create role ${role} login`);
    try {
      const url = new URL(storage.env.DATABASE_URL ?? "");
      url.username = role;
      expect(await refusalOf(open({ ...storage.env, DATABASE_URL: url.href }))).toContain(
        "permission denied",
      );
    } finally {
      await storage.query(`drop role ${role}`);
    }
  },
);

test.skipIf(TEST_SERVER_URL === null)(
  "a database of another encoding stops the start with the way to a new one",
  async () => {
    await using resources = new AsyncDisposableStack();
    const options = "encoding 'LATIN1' locale 'C' template template0";
    const { href } = await createDatabase(resources, TEST_SERVER_URL ?? "", options);

    const line = await oneLine({ DATABASE_URL: href, ENCRYPTION_KEY });

    expect(line).toMatch(/^DATABASE_URL: .*LATIN1.*create database .* encoding 'UTF8'/);
  },
);

test("a data directory that cannot be made, locked or read stops the start", async () => {
  const below = "/dev/null/data";
  expect(await refusalOf(open({ DATA_DIR: below }))).toMatch(
    /^DATA_DIR: \/dev\/null\/data cannot be used \(/,
  );
  expect(await refusalOf(open({ DATA_DIR: below, ENCRYPTION_KEY }))).toContain(below);
  await using storage = await openTestStorage({ bare: true, server: null });
  // What permissions would forbid an ordinary user; root may do everything.
  const unlockable = join(storage.directory, "unlockable");
  mkdirSync(join(unlockable, "lock.sqlite"), { recursive: true });
  expect(await refusalOf(open({ DATA_DIR: unlockable, ENCRYPTION_KEY }))).toContain(unlockable);
  const unreadable = join(storage.directory, "unreadable");
  mkdirSync(unreadable);
  writeFileSync(join(unreadable, "pg"), "");
  expect(await refusalOf(open({ DATA_DIR: unreadable, ENCRYPTION_KEY }))).toContain(unreadable);
});

test.skipIf(TEST_SERVER_URL === null)(
  "a database of a newer version is reported and does not stop the start",
  async () => {
    await using storage = await openFilled();
    await storage.query("insert into schema_migrations (name) values ('Later')");
    const { lines, log } = useLogLines();
    await using _opened = await open(storage.env, log);
    const warning = expect.stringMatching(/"level":40.*"migrations":\["Later"\]/);

    expect(lines.filter((line) => line.includes("newer version"))).toEqual([warning]);
  },
);

/** The only line of a server that does not start. */
async function oneLine(settings: Settings): Promise<string> {
  const { code, stdout, stderr } = await outcomeOf(startServerProcess(settings));
  expect([code, stdout, stderr.length]).toEqual([1, [], 1]);
  return stderr.join();
}

/** The first half of a start, in this process. */
async function open(settings: Settings, to = silentLog) {
  return await openStorage(readConfig(settings, false), { log: to });
}

/** Every file with the time of its last change. */
function fingerprint(directory: string): string[] {
  return readdirSync(directory, { recursive: true, encoding: "utf8" })
    .sort()
    .map((path) => `${path} ${statSync(join(directory, path)).mtimeMs}`);
}
