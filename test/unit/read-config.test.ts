import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { readConfig } from "../../src/server/platform/environment/config.ts";
import { StartError } from "../../src/server/platform/errors.ts";
import { scratchDirectory } from "../harness/scratch.ts";
import { ENCRYPTION_KEY } from "../harness/storage.ts";

const OTHER_KEY = Buffer.alloc(32, 9).toString("base64");
const UNREACHABLE = "postgres://somebody:secret-word@127.0.0.1:1/nowhere";

const directory = scratchDirectory();

/** Values of which each is wrong. */
const BAD: Readonly<Record<string, readonly [string, ...string[]]>> = {
  PORT: ["65536", "http", "-1", "3000.5"],
  HOST: ["not a host", "[::1]", "http://127.0.0.1", "127.0.0.1:3000"],
  DATABASE_URL: ["mysql://127.0.0.1/console", "127.0.0.1:5432", "postgres://somebody@127.0.0.1/"],
  ADMIN_USERNAME: ["a b", "名字"],
  ADMIN_PASSWORD: ["weak", "alllowercase1", "Password123"],
  ENCRYPTION_KEY: [Buffer.alloc(31).toString("base64"), "not base64!"],
  ENCRYPTION_KEYS_OLD: [`${ENCRYPTION_KEY},x`],
  PROVIDER_ALLOWED_ORIGINS: [
    "http://127.0.0.1:4999/path",
    "http://127.0.0.1:4999,",
    "ftp://127.0.0.1",
    "http://*",
  ],
  OUTBOUND_ALLOWED: [
    "mail.internal",
    "mail.internal:0",
    "mail.internal:65536",
    "smtp://mail.internal:25",
    "http://127.0.0.1:8080/path",
    "mail.internal:25,",
  ],
  PUBLIC_ORIGINS: ["console.example.com", "https://*.example.com", "*"],
  TRUST_PROXY: ["10.0.0.0/33", "yes", "100", "1,2", "10.1", "10.0.0/8"],
  MAX_CONNECTIONS: ["0"],
  MAX_CONNECTIONS_PER_ADDRESS: ["1e3"],
  SESSION_TTL_HOURS: ["0", "1e9"],
  SESSION_IDLE_MINUTES: ["-5", "soon"],
  AUDIT_RETENTION_DAYS: ["179", "100000", "400.5"],
  LOG_LEVEL: ["loud"],
  SUPPORT_URL: ["javascript:alert(1)"],
  METRICS_TOKEN: ["two words"],
};

test.each(Object.entries(BAD))(
  "a bad %s is named by its line, without its value",
  (name, values) => {
    for (const value of values) {
      const lines = problemsOf({
        [name]: value,
        ...(name === "DATABASE_URL" ? { ENCRYPTION_KEY } : {}),
      });
      expect(lines, value).toEqual([expect.stringMatching(new RegExp(`^${name}: \\S`))]);
      expect(lines[0]).not.toContain(value.length > 8 ? value : "\0");
      expect(lines[0]).not.toContain("Invalid input");
    }
  },
);

test.each([
  ["postgres://user:50%zz@db/console", "%25"],
  ["postgres://user:caf%e9@db/console", "%25"],
  ["postgres://us%er@db/console", "%25"],
  ["postgres://user@db/con%sole", "%25"],
  ["postgres://user:a#b@db/console", "%23"],
  ["postgres://user:1#b@db/console", "%23"],
  ["postgres://user:a/b@db/console", "%2F"],
  ["postgres://user:1/b@db/console", "%2F"],
  ["postgres://user:a?b@db/console", "%3F"],
])("DATABASE_URL %s is refused with how to write its password", (url, written) => {
  const lines = problemsOf({ DATABASE_URL: url, ENCRYPTION_KEY });

  expect(lines).toEqual([
    expect.stringMatching(/^DATABASE_URL: .*user name, password or database/),
  ]);
  expect(lines[0]).toContain(written);
  expect(lines[0]).not.toContain(url);
});

test.each([
  "postgres://user:p%25%23%2F%3F%40@db/console",
  "postgres://user:a@b@db:5432/console",
  "postgres://db:5432/console?application_name=a@b",
  "postgresql:///console?host=/var/run/postgresql",
])("DATABASE_URL %s is accepted", (url) => {
  expect(readConfig({ DATABASE_URL: url, ENCRYPTION_KEY }, false).databaseUrl).toBe(url);
});

test("a DATABASE_URL that names several hosts is refused with what stands before a pair", () => {
  const urls = ["postgres://user@a,b/console", "postgres://user:x@a:5432,b:5432/console"];
  for (const url of urls) {
    const lines = problemsOf({ DATABASE_URL: url, ENCRYPTION_KEY });

    expect(lines).toEqual([expect.stringMatching(/^DATABASE_URL: .*one host.*proxy/)]);
  }
});

test("all bad settings are reported at once", () => {
  const lines = problemsOf(
    Object.fromEntries(Object.entries(BAD).map(([name, [value]]) => [name, value])),
  );

  expect(lines.map((line) => line.split(":")[0]).sort()).toEqual(Object.keys(BAD).sort());
});

test("a DATABASE_URL without ENCRYPTION_KEY is reported with the other problems", () => {
  const missing = expect.stringMatching(/^ENCRYPTION_KEY: .*required with DATABASE_URL/);

  expect(problemsOf({ DATABASE_URL: UNREACHABLE, PORT: "x" })).toEqual([
    expect.stringMatching(/^PORT: /),
    missing,
  ]);
});

describe("a secret in a file", () => {
  test("is read from the path in NAME_FILE, without the newline at its end", () => {
    const files = {
      DATABASE_URL_FILE: secretFile(`${UNREACHABLE}\n`),
      ENCRYPTION_KEY_FILE: secretFile(`${ENCRYPTION_KEY}\r\n`),
      ENCRYPTION_KEYS_OLD_FILE: secretFile(`${OTHER_KEY},${ENCRYPTION_KEY}`),
      ADMIN_PASSWORD_FILE: secretFile("Correct1Horse \n\n"),
      METRICS_TOKEN_FILE: secretFile("token\n"),
    };

    expect(readConfig(files, false)).toMatchObject({
      databaseUrl: UNREACHABLE,
      encryptionKey: Buffer.from(ENCRYPTION_KEY, "base64"),
      oldEncryptionKeys: [Buffer.from(OTHER_KEY, "base64"), Buffer.from(ENCRYPTION_KEY, "base64")],
      admin: { password: "Correct1Horse \n" },
      metricsToken: "token",
    });
  });

  test("is checked by the same rules, and its problem does not contain it", () => {
    const lines = problemsOf({ ENCRYPTION_KEY_FILE: secretFile("c2VjcmV0\n"), PORT: "x" });
    expect(lines.map((line) => line.split(":")[0])).toEqual(["PORT", "ENCRYPTION_KEY"]);
    expect(lines.join()).not.toContain("c2VjcmV0");
  });

  test.each([
    ["that is not there", "/nonexistent/secret", /^ENCRYPTION_KEY_FILE: cannot be read \(ENOENT/],
    ["that is a directory", "/", /^ENCRYPTION_KEY_FILE: cannot be read \(EISDIR/],
    ["that holds nothing", "/dev/null", /^ENCRYPTION_KEY_FILE: \/dev\/null is empty/],
  ])("%s stops the start with one line, also beside DATABASE_URL", (_which, path, line) => {
    expect(problemsOf({ ENCRYPTION_KEY_FILE: path })).toEqual([expect.stringMatching(line)]);
    expect(problemsOf({ ENCRYPTION_KEY_FILE: path, DATABASE_URL: UNREACHABLE })).toEqual([
      expect.stringMatching(line),
    ]);
  });

  test("is refused beside the same setting in the environment", () => {
    const lines = problemsOf({ ENCRYPTION_KEY, ENCRYPTION_KEY_FILE: secretFile(ENCRYPTION_KEY) });
    expect(lines).toEqual(["ENCRYPTION_KEY_FILE: is set beside ENCRYPTION_KEY; set one of them"]);
  });

  test("is only for secrets: other settings are not read from files", () => {
    expect(readConfig({ ENCRYPTION_KEY, PORT_FILE: secretFile("1234") }, false).port).toBe(3000);
  });
});

test("ENCRYPTION_KEYS_OLD is read beside the key file", () => {
  writeFileSync(join(directory, "encryption.key"), `${ENCRYPTION_KEY}\n`);
  const config = readConfig({ DATA_DIR: directory, ENCRYPTION_KEYS_OLD: OTHER_KEY }, false);
  const keys = [config.encryptionKey, ...config.oldEncryptionKeys].map((key) =>
    key.toString("base64"),
  );

  expect(keys).toEqual([ENCRYPTION_KEY, OTHER_KEY]);
});

const DEFAULTS = {
  port: 3000,
  host: "127.0.0.1",
  databaseUrl: null,
  dataDir: resolve("data"),
  admin: { username: "admin", password: null },
  providerAllowedOrigins: [],
  publicOrigins: [],
  trustProxy: false,
  connectionLimits: { total: 2_000, perAddress: 200 },
  session: { ttl: 12 * 3_600, idle: 120 * 60 },
  auditRetention: 400 * 86_400,
  logLevel: "info",
  metricsToken: null,
};

test.each<[settings: Record<string, string>, read: object]>([
  [{}, DEFAULTS],
  [{ SESSION_TTL_HOURS: "0.0001" }, { session: { ttl: 1, idle: 7200 } }],
  [{ AUDIT_RETENTION_DAYS: "180" }, { auditRetention: 180 * 86_400 }],
  [{ SESSION_IDLE_MINUTES: "0.001" }, { session: { ttl: 43_200, idle: 1 } }],
  [{ TRUST_PROXY: "2" }, { trustProxy: 2 }],
  [
    { TRUST_PROXY: "127.0.0.1, 10.0.0.0/8,::1/128" },
    { trustProxy: ["127.0.0.1", "10.0.0.0/8", "::1/128"] },
  ],
  [
    { OUTBOUND_ALLOWED: "relay:25, http://127.0.0.1:8080,[::1]:587" },
    { outboundAllowed: { origins: ["http://127.0.0.1:8080"], servers: ["relay:25", "[::1]:587"] } },
  ],
  [
    { MAX_CONNECTIONS: "500", MAX_CONNECTIONS_PER_ADDRESS: "50" },
    { connectionLimits: { total: 500, perAddress: 50 } },
  ],
  ...["0.0.0.0", "::1", "fe80::1%eth0", "localhost", "console-1.example.com", "my_host"].map(
    (host): [Record<string, string>, object] => [{ HOST: host }, { host }],
  ),
])("%j is read as %j", (settings, read) => {
  expect(readConfig({ ENCRYPTION_KEY, ...settings }, false)).toMatchObject(read);
});

function secretFile(content: string): string {
  const path = join(directory, randomUUID());
  writeFileSync(path, content);
  return path;
}

function problemsOf(env: Record<string, string>): string[] {
  try {
    readConfig({ DATA_DIR: "/nonexistent/data", ...env }, false);
  } catch (error) {
    if (error instanceof StartError) return error.message.split("\n");
    throw error;
  }
  return [];
}
