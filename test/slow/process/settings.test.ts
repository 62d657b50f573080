import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { BAD_SETTINGS } from "../../harness/bad-settings.ts";
import { listening, startServer, startServerProcess } from "../../harness/programs.ts";
import { ROOT_USER, signIn, TEST_LIMIT, takePort } from "../../harness/stage.ts";
import { ENCRYPTION_KEY, openTestStorage, type TestStorage } from "../../harness/storage.ts";

vi.setConfig({ testTimeout: TEST_LIMIT });

const UNREACHABLE = "postgres://somebody:secret-word@127.0.0.1:1/nowhere";

test("bad settings stop the start with one line each and exit code 1, before anything is created", async () => {
  await using storage = await openTestStorage({ bare: true, server: null });
  const dataDir = join(storage.directory, "untouched");
  await using server = startServerProcess({ ...BAD_SETTINGS, DATA_DIR: dataDir });
  expect(await server.exited).toEqual({ code: 1, signal: null });
  expect(server.stderr.map((line) => line.split(":")[0]).sort()).toEqual(Object.keys(BAD_SETTINGS).sort());
  expect(server.stdout).toEqual([]);
  expect(existsSync(dataDir)).toBe(false);
});

test("a common first password is reported with the other settings, before anything is created", async () => {
  await using storage = await openTestStorage({ bare: true, server: null });
  const dataDir = join(storage.directory, "untouched");
  const settings = { ...storage.env, DATA_DIR: dataDir, LOG_LEVEL: "loud", ADMIN_PASSWORD: "Password123" };
  await using server = startServerProcess(settings);
  expect(await server.exited).toEqual({ code: 1, signal: null });
  expect(server.output).toEqual([
    "ADMIN_PASSWORD: is one of the most common passwords; choose another one",
    expect.stringMatching(/^LOG_LEVEL: /),
  ]);
  expect(existsSync(dataDir)).toBe(false);
});

test.each(["192.0.2.1", "no-such-host.invalid"])(
  "HOST=%s, which is not of this machine, stops the start before anything is made",
  async (HOST) => {
    await using storage = await openTestStorage({ bare: true, server: null });
    const dataDir = join(storage.directory, "untouched");
    await using server = startServerProcess({ ...storage.env, DATA_DIR: dataDir, HOST });
    expect(await server.exited).toEqual({ code: 1, signal: null });
    expect(server.output).toEqual([expect.stringMatching(`^HOST: cannot listen on ${HOST} \\(.+\\)$`)]);
    expect(existsSync(dataDir)).toBe(false);
  },
);

test("a misspelled DATABASE_URL stops the start before an embedded database is made", async () => {
  await using storage = await openTestStorage({ bare: true, server: null });
  const dataDir = join(storage.directory, "untouched");
  await using server = startServerProcess({ DATA_DIR: dataDir, DATABSE_URL: UNREACHABLE });
  expect(await server.exited).toEqual({ code: 1, signal: null });
  expect(server.output).toEqual(["DATABSE_URL: is not a setting; use DATABASE_URL"]);
  expect(existsSync(dataDir)).toBe(false);
});

test("NODE_ENV=production without DATABASE_URL is reported in the log", async () => {
  await using storage = await openTestStorage({ server: null });
  await using server = await startServer({ ...storage.env, NODE_ENV: "production", LOG_LEVEL: "warn" });
  expect(server.output).toContainEqual(expect.stringContaining("without DATABASE_URL: using the embedded database"));
});

test("the server starts with its secrets in files", async () => {
  await using storage = await openTestStorage();
  const { ENCRYPTION_KEY: key, DATABASE_URL: url, ...settings } = storage.env;
  await using server = startServerProcess({
    ...settings,
    ...(key === undefined ? {} : { ENCRYPTION_KEY_FILE: secretFile(storage, "server-key", `${key}\n`) }),
    ...(url === undefined ? {} : { DATABASE_URL_FILE: secretFile(storage, "server-url", `${url}\n`) }),
    ADMIN_PASSWORD_FILE: secretFile(storage, "server-password", `${ROOT_USER.password}\n`),
    ADMIN_USERNAME: ROOT_USER.username,
  });
  await signIn((await listening(server)).url);
});

test("the start ends with one line and exit code 1 on a database that is not there", async () => {
  await using server = startServerProcess({ DATABASE_URL: UNREACHABLE, ENCRYPTION_KEY, LOG_LEVEL: "warn" });
  expect(await server.exited).toEqual({ code: 1, signal: null });
  expect(server.output).toEqual([expect.stringMatching(/^DATABASE_URL: .*ECONNREFUSED/)]);
  expect(server.output.join()).not.toContain("secret-word");
});

test("the start ends with one line and exit code 1 on a data directory below a file", async () => {
  const dataDir = "/dev/null/data";
  await using withoutKey = startServerProcess({ DATA_DIR: dataDir, LOG_LEVEL: "warn" });
  await using withKey = startServerProcess({ DATA_DIR: dataDir, ENCRYPTION_KEY, LOG_LEVEL: "warn" });
  for (const server of [withoutKey, withKey]) {
    expect(await server.exited).toEqual({ code: 1, signal: null });
    expect(server.output).toEqual([expect.stringContaining(dataDir)]);
  }
  expect(withoutKey.output[0]).toMatch(/^DATA_DIR: .* cannot be used \(/);
});

test("the start ends with one line and exit code 1 on a port that is taken", async () => {
  await using storage = await openTestStorage();
  using taken = await takePort();
  const settings = { ...storage.env, LOG_LEVEL: "warn" };
  await using server = startServerProcess({ ...settings, ADMIN_PASSWORD: "Correct1Horse", PORT: taken.port });
  expect(await server.exited).toEqual({ code: 1, signal: null });
  expect(server.output).toEqual([expect.stringMatching(/^PORT, HOST: .*EADDRINUSE/)]);
});

test("the start ends with one line and exit code 1 on a missing certificate file in DATABASE_URL", async () => {
  const DATABASE_URL = `${UNREACHABLE}?sslmode=verify-full&sslrootcert=/nonexistent/ca.pem`;
  await using server = startServerProcess({ DATABASE_URL, ENCRYPTION_KEY, LOG_LEVEL: "warn" });
  expect(await server.exited).toEqual({ code: 1, signal: null });
  expect(server.output).toEqual([expect.stringMatching(/^DATABASE_URL: .*ENOENT.*ca\.pem/)]);
});

test("the start ends with one line and exit code 1 on a data directory that cannot be locked or read", async () => {
  await using storage = await openTestStorage({ bare: true, server: null });
  // What permissions would forbid an ordinary user; root may do everything.
  const unlockable = join(storage.directory, "unlockable");
  mkdirSync(join(unlockable, "lock.sqlite"), { recursive: true });
  const unreadable = join(storage.directory, "unreadable");
  mkdirSync(unreadable);
  writeFileSync(join(unreadable, "pg"), "");
  for (const dataDir of [unlockable, unreadable]) {
    await using server = startServerProcess({ DATA_DIR: dataDir, ENCRYPTION_KEY, LOG_LEVEL: "warn" });
    expect(await server.exited).toEqual({ code: 1, signal: null });
    expect(server.output).toEqual([expect.stringContaining(dataDir)]);
  }
});

function secretFile({ directory }: TestStorage, name: string, content: string): string {
  const path = join(directory, name);
  writeFileSync(path, content, { mode: 0o600 });
  return path;
}
