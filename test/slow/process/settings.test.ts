import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test, vi } from "vitest";
import { ConfigError, readConfig } from "../../../src/server/config/config.ts";
import { ENCRYPTION_KEY, openPlace, POSTGRESQL } from "../../harness/place.ts";
import { listening, startServer, startServerProcess } from "../../harness/programs.ts";
import { ROOT_USER, signIn, TEST_LIMIT, takePort } from "../../harness/stage.ts";

vi.setConfig({ testTimeout: TEST_LIMIT });

const OTHER_KEY = Buffer.alloc(32, 9).toString("base64");
const UNREACHABLE = "postgres://somebody:secret-word@127.0.0.1:1/nowhere";

/** Every one of them is wrong by itself. */
const BAD = {
  PORT: "65536",
  HOST: "not a host",
  DATABASE_URL: "mysql://127.0.0.1/console",
  ADMIN_USERNAME: "a b",
  ADMIN_PASSWORD: "weak",
  ENCRYPTION_KEY: Buffer.alloc(31).toString("base64"),
  ENCRYPTION_KEYS_OLD: `${ENCRYPTION_KEY},x`,
  PROVIDER_ALLOWED_ORIGINS: "http://127.0.0.1:4999/path",
  PUBLIC_ORIGINS: "console.example.com",
  TRUST_PROXY: "10.0.0.0/33",
  MAX_CONNECTIONS: "0",
  MAX_CONNECTIONS_PER_ADDRESS: "1e3",
  SESSION_TTL_HOURS: "0",
  SESSION_IDLE_MINUTES: "-5",
  LOG_LEVEL: "loud",
};

describe("a bad setting", () => {
  test("and many at once: one line each, exit code 1, and nothing is made", async () => {
    await using place = await openPlace({ bare: true });
    const dataDir = join(place.directory, "untouched");
    await using server = startServerProcess({ ...BAD, DATA_DIR: dataDir });
    expect(await server.exited).toEqual({ code: 1, signal: null });
    expect(server.stderr.map((line) => line.split(":")[0]).sort()).toEqual(Object.keys(BAD).sort());
    expect(server.stdout).toEqual([]);
    expect(existsSync(dataDir)).toBe(false);
  });

  test.each([
    ...Object.entries(BAD),
    ["PORT", "http"],
    ["PORT", "-1"],
    ["PORT", "3000.5"],
    ["HOST", "[::1]"],
    ["HOST", "http://127.0.0.1"],
    ["HOST", "127.0.0.1:3000"],
    ["DATABASE_URL", "127.0.0.1:5432"],
    ["DATABASE_URL", "postgres://somebody@127.0.0.1"],
    ["DATABASE_URL", "postgres://somebody@127.0.0.1/"],
    ["ENCRYPTION_KEY", "not base64!"],
    ["PROVIDER_ALLOWED_ORIGINS", "http://127.0.0.1:4999,"],
    ["PROVIDER_ALLOWED_ORIGINS", "ftp://127.0.0.1"],
    ["PROVIDER_ALLOWED_ORIGINS", "http://*"],
    ["PROVIDER_ALLOWED_ORIGINS", "http://127.0.0.1:4999,http://*.example.com:8080"],
    ["PUBLIC_ORIGINS", "https://*.example.com"],
    ["PUBLIC_ORIGINS", "*"],
    ["TRUST_PROXY", "yes"],
    ["TRUST_PROXY", "100"],
    ["TRUST_PROXY", "1,2"],
    ["TRUST_PROXY", "10.1"],
    ["TRUST_PROXY", "10.0.0/8"],
    ["SESSION_TTL_HOURS", "1e9"],
    ["SESSION_IDLE_MINUTES", "soon"],
    ["ADMIN_PASSWORD", "alllowercase1"],
    ["ADMIN_PASSWORD", "Password123"],
    ["ADMIN_USERNAME", "名字"],
    ["SUPPORT_URL", "javascript:alert(1)"],
    ["METRICS_TOKEN", "two words"],
  ])("is named by its line: %s=%s", (name, value) => {
    const lines = problemsOf({ [name]: value, ...(name === "DATABASE_URL" ? { ENCRYPTION_KEY } : {}) });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(new RegExp(`^${name}: \\S`));
    expect(lines[0]).not.toContain(value.length > 8 ? value : "\0");
  });

  test("is also a DATABASE_URL without ENCRYPTION_KEY, told together with the others", () => {
    const lines = problemsOf({ DATABASE_URL: UNREACHABLE, PORT: "x" });
    expect(lines.map((line) => line.split(":")[0])).toEqual(["PORT", "ENCRYPTION_KEY"]);
    expect(lines[1]).toContain("required with DATABASE_URL");
  });
});

test("a common first password is reported with the other settings, before anything is created", async () => {
  await using place = await openPlace({ bare: true });
  const dataDir = join(place.directory, "untouched");
  const settings = { ...place.env, DATA_DIR: dataDir, LOG_LEVEL: "loud", ADMIN_PASSWORD: "Password123" };
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
    await using place = await openPlace({ bare: true });
    const dataDir = join(place.directory, "untouched");
    await using server = startServerProcess({ ...place.env, DATA_DIR: dataDir, HOST });
    expect(await server.exited).toEqual({ code: 1, signal: null });
    expect(server.output).toEqual([expect.stringMatching(`^HOST: cannot listen on ${HOST} \\(.+\\)$`)]);
    expect(existsSync(dataDir)).toBe(false);
  },
);

test("a misspelled DATABASE_URL stops the start before an embedded database is made", async () => {
  await using place = await openPlace({ bare: true });
  const dataDir = join(place.directory, "untouched");
  await using server = startServerProcess({ DATA_DIR: dataDir, DATABSE_URL: UNREACHABLE });
  expect(await server.exited).toEqual({ code: 1, signal: null });
  expect(server.output).toEqual(["DATABSE_URL: is not a setting; use DATABASE_URL"]);
  expect(existsSync(dataDir)).toBe(false);
});

test.each([
  ["ADMIN_PASWORD", "ADMIN_PASSWORD"],
  ["ENCRYPTION_KYE", "ENCRYPTION_KEY"],
  ["PUBLIC_ORIGIN", "PUBLIC_ORIGINS"],
  ["METRICS_TOKEN_FILES", "METRICS_TOKEN_FILE"],
])("%s is named as a misspelling of %s", (name, meant) => {
  expect(problemsOf({ [name]: "x" })).toEqual([`${name}: is not a setting; use ${meant}`]);
});

test("variables of other programs, and a resemblance to a setting that is given, are no misspellings", () => {
  const env = {
    ENCRYPTION_KEY,
    HOME: "/root",
    HOSTS: "x",
    REPORT: "1",
    LOG_LEVEL: "info",
    LOGLEVEL: "x",
    DATABASE_NAME: "x",
  };
  expect(problemsOf(env)).toEqual([]);
});

test.skipIf(POSTGRESQL !== undefined)("NODE_ENV=production without DATABASE_URL is reported in the log", async () => {
  await using place = await openPlace();
  await using server = await startServer({ ...place.env, NODE_ENV: "production", LOG_LEVEL: "warn" });
  expect(server.output).toContainEqual(expect.stringContaining("without DATABASE_URL: using the embedded database"));
});

describe("a secret in a file", () => {
  const files = openSecretFiles();

  test("is read where NAME_FILE says, without the newline at its end", () => {
    const config = readConfig(
      {
        DATABASE_URL_FILE: files.write("url", `${UNREACHABLE}\n`),
        ENCRYPTION_KEY_FILE: files.write("key", `${ENCRYPTION_KEY}\r\n`),
        ENCRYPTION_KEYS_OLD_FILE: files.write("old", `${OTHER_KEY},${ENCRYPTION_KEY}`),
        ADMIN_PASSWORD_FILE: files.write("password", "Correct1Horse \n\n"),
        METRICS_TOKEN_FILE: files.write("token", "token\n"),
      },
      false,
    );
    expect(config.databaseUrl).toBe(UNREACHABLE);
    expect(config.encryptionKey.toString("base64")).toBe(ENCRYPTION_KEY);
    expect(config.oldEncryptionKeys.map((key) => key.toString("base64"))).toEqual([OTHER_KEY, ENCRYPTION_KEY]);
    expect(config.admin.password).toBe("Correct1Horse \n");
    expect(config.metricsToken).toBe("token");
  });

  test("is held to the same rules, and the line does not tell it", () => {
    const lines = problemsOf({ ENCRYPTION_KEY_FILE: files.write("short", "c2VjcmV0\n"), PORT: "x" });
    expect(lines.map((line) => line.split(":")[0])).toEqual(["PORT", "ENCRYPTION_KEY"]);
    expect(lines.join()).not.toContain("c2VjcmV0");
  });

  test.each([
    ["that is not there", "/nonexistent/secret", /^ENCRYPTION_KEY_FILE: cannot be read \(ENOENT/],
    ["that is a directory", "/", /^ENCRYPTION_KEY_FILE: cannot be read \(EISDIR/],
    ["that holds nothing", "/dev/null", /^ENCRYPTION_KEY_FILE: \/dev\/null is empty/],
  ])("%s stops the start with one line, also beside DATABASE_URL", (_which, path, line) => {
    expect(problemsOf({ ENCRYPTION_KEY_FILE: path })).toEqual([expect.stringMatching(line)]);
    expect(problemsOf({ ENCRYPTION_KEY_FILE: path, DATABASE_URL: UNREACHABLE })).toEqual([expect.stringMatching(line)]);
  });

  test("and in the environment as well is one too many", () => {
    const lines = problemsOf({ ENCRYPTION_KEY, ENCRYPTION_KEY_FILE: files.write("twice", ENCRYPTION_KEY) });
    expect(lines).toEqual(["ENCRYPTION_KEY_FILE: is set beside ENCRYPTION_KEY; set one of them"]);
  });

  test("is no secret's: other settings are not read from files", () => {
    expect(readConfig({ ENCRYPTION_KEY, PORT_FILE: files.write("port", "1234") }, false).port).toBe(3000);
  });

  test("starts the server", async () => {
    await using place = await openPlace();
    const { ENCRYPTION_KEY: key, DATABASE_URL: url, ...settings } = place.env;
    await using server = startServerProcess({
      ...settings,
      ...(key === undefined ? {} : { ENCRYPTION_KEY_FILE: files.write("server-key", `${key}\n`) }),
      ...(url === undefined ? {} : { DATABASE_URL_FILE: files.write("server-url", `${url}\n`) }),
      ADMIN_PASSWORD_FILE: files.write("server-password", `${ROOT_USER.password}\n`),
      ADMIN_USERNAME: ROOT_USER.username,
    });
    await signIn((await listening(server)).url);
  });
});

test("settings that cannot be met stop the start with one line and exit code 1: a database that is not there", async () => {
  await using server = startServerProcess({ DATABASE_URL: UNREACHABLE, ENCRYPTION_KEY, LOG_LEVEL: "warn" });
  expect(await server.exited).toEqual({ code: 1, signal: null });
  expect(server.output).toEqual([expect.stringMatching(/^DATABASE_URL: .*ECONNREFUSED/)]);
  expect(server.output.join()).not.toContain("secret-word");
});

test("settings that cannot be met stop the start with one line and exit code 1: a data directory below a file", async () => {
  const dataDir = "/dev/null/data";
  await using withoutKey = startServerProcess({ DATA_DIR: dataDir, LOG_LEVEL: "warn" });
  await using withKey = startServerProcess({ DATA_DIR: dataDir, ENCRYPTION_KEY, LOG_LEVEL: "warn" });
  for (const server of [withoutKey, withKey]) {
    expect(await server.exited).toEqual({ code: 1, signal: null });
    expect(server.output).toEqual([expect.stringContaining(dataDir)]);
  }
  expect(withoutKey.output[0]).toMatch(/^DATA_DIR: .* cannot be used \(/);
});

test("settings that cannot be met stop the start with one line and exit code 1: a port that is taken", async () => {
  await using place = await openPlace();
  using taken = await takePort();
  const settings = { ...place.env, LOG_LEVEL: "warn" };
  await using server = startServerProcess({ ...settings, ADMIN_PASSWORD: "Correct1Horse", PORT: taken.port });
  expect(await server.exited).toEqual({ code: 1, signal: null });
  expect(server.output).toEqual([expect.stringMatching(/^PORT, HOST: .*EADDRINUSE/)]);
});

test("settings that cannot be met stop the start with one line and exit code 1: files that the database's address names", async () => {
  const DATABASE_URL = `${UNREACHABLE}?sslmode=verify-full&sslrootcert=/nonexistent/ca.pem`;
  await using server = startServerProcess({ DATABASE_URL, ENCRYPTION_KEY, LOG_LEVEL: "warn" });
  expect(await server.exited).toEqual({ code: 1, signal: null });
  expect(server.output).toEqual([expect.stringMatching(/^DATABASE_URL: .*ENOENT.*ca\.pem/)]);
});

test.each([
  [{ SESSION_TTL_HOURS: "0.0001" }, { ttl: 1, idle: 7200 }],
  [{ SESSION_IDLE_MINUTES: "0.001" }, { ttl: 43_200, idle: 1 }],
])("a session lasts a second at least, or nobody could sign in: %j", (env, session) => {
  expect(readConfig({ ENCRYPTION_KEY, ...env }, false).session).toEqual(session);
});

test.each(["0.0.0.0", "::", "::1", "fe80::1%eth0", "localhost", "console-1.example.com", "my_host"])(
  "HOST=%s may be listened on",
  (HOST) => {
    expect(readConfig({ ENCRYPTION_KEY, HOST }, false).host).toBe(HOST);
  },
);

test.each([
  ["2", 2],
  ["127.0.0.1, 10.0.0.0/8,::1/128", ["127.0.0.1", "10.0.0.0/8", "::1/128"]],
])("TRUST_PROXY=%s is what Express makes of it", (value, trusted) => {
  expect(readConfig({ ENCRYPTION_KEY, TRUST_PROXY: value }, false).trustProxy).toEqual(trusted);
});

test("the numbers of connections are read from MAX_CONNECTIONS and MAX_CONNECTIONS_PER_ADDRESS", () => {
  const env = { ENCRYPTION_KEY, MAX_CONNECTIONS: "500", MAX_CONNECTIONS_PER_ADDRESS: "50" };
  expect(readConfig(env, false).connectionLimits).toEqual({ total: 500, perAddress: 50 });
});

test("settings that cannot be met stop the start with one line and exit code 1: a data directory that cannot be locked or read", async () => {
  await using place = await openPlace({ bare: true });
  // What permissions would forbid an ordinary user; root may do everything.
  const unlockable = join(place.directory, "unlockable");
  mkdirSync(join(unlockable, "lock.sqlite"), { recursive: true });
  const unreadable = join(place.directory, "unreadable");
  mkdirSync(unreadable);
  writeFileSync(join(unreadable, "pg"), "");
  for (const dataDir of [unlockable, unreadable]) {
    await using server = startServerProcess({ DATA_DIR: dataDir, ENCRYPTION_KEY, LOG_LEVEL: "warn" });
    expect(await server.exited).toEqual({ code: 1, signal: null });
    expect(server.output).toEqual([expect.stringContaining(dataDir)]);
  }
});

/** Files that are gone when the tests of this block are over. */
function openSecretFiles() {
  const directory = mkdtempSync(join(tmpdir(), "host-console-secrets-"));
  afterAll(() => rmSync(directory, { recursive: true }));
  return {
    write(name: string, content: string): string {
      const path = join(directory, name);
      writeFileSync(path, content, { mode: 0o600 });
      return path;
    },
  };
}

function problemsOf(env: Record<string, string>): string[] {
  try {
    readConfig({ DATA_DIR: "/nonexistent/data", ...env }, false);
  } catch (error) {
    if (error instanceof ConfigError) return error.message.split("\n");
    throw error;
  }
  return [];
}
