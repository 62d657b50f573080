import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { ConfigError, readConfig } from "../../src/server/config/config.ts";
import { BAD_SETTINGS } from "../harness/bad-settings.ts";
import { ENCRYPTION_KEY } from "../harness/storage.ts";

const OTHER_KEY = Buffer.alloc(32, 9).toString("base64");
const UNREACHABLE = "postgres://somebody:secret-word@127.0.0.1:1/nowhere";

test.each([
  ...Object.entries(BAD_SETTINGS),
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
])("a bad setting is named by its line, without its value: %s=%s", (name, value) => {
  const lines = problemsOf({ [name]: value, ...(name === "DATABASE_URL" ? { ENCRYPTION_KEY } : {}) });
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(new RegExp(`^${name}: \\S`));
  expect(lines[0]).not.toContain(value.length > 8 ? value : "\0");
});

test("a DATABASE_URL without ENCRYPTION_KEY is reported with the other problems", () => {
  const lines = problemsOf({ DATABASE_URL: UNREACHABLE, PORT: "x" });
  expect(lines.map((line) => line.split(":")[0])).toEqual(["PORT", "ENCRYPTION_KEY"]);
  expect(lines[1]).toContain("required with DATABASE_URL");
});

test.each([
  ["ADMIN_PASWORD", "ADMIN_PASSWORD"],
  ["ENCRYPTION_KYE", "ENCRYPTION_KEY"],
  ["PUBLIC_ORIGIN", "PUBLIC_ORIGINS"],
  ["METRICS_TOKEN_FILES", "METRICS_TOKEN_FILE"],
])("%s is named as a misspelling of %s", (name, meant) => {
  expect(problemsOf({ [name]: "x" })).toEqual([`${name}: is not a setting; use ${meant}`]);
});

test("variables of other programs, and a resemblance to a setting that is given, are not reported as misspellings", () => {
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

describe("a secret in a file", () => {
  const files = openSecretFiles();

  test("is read from the path in NAME_FILE, without the newline at its end", () => {
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

  test("is checked by the same rules, and its problem does not contain it", () => {
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

  test("is refused beside the same setting in the environment", () => {
    const lines = problemsOf({ ENCRYPTION_KEY, ENCRYPTION_KEY_FILE: files.write("twice", ENCRYPTION_KEY) });
    expect(lines).toEqual(["ENCRYPTION_KEY_FILE: is set beside ENCRYPTION_KEY; set one of them"]);
  });

  test("is only for secrets: other settings are not read from files", () => {
    expect(readConfig({ ENCRYPTION_KEY, PORT_FILE: files.write("port", "1234") }, false).port).toBe(3000);
  });
});

test.each([
  [{ SESSION_TTL_HOURS: "0.0001" }, { ttl: 1, idle: 7200 }],
  [{ SESSION_IDLE_MINUTES: "0.001" }, { ttl: 43_200, idle: 1 }],
])("a session lasts at least a second: %j", (env, session) => {
  expect(readConfig({ ENCRYPTION_KEY, ...env }, false).session).toEqual(session);
});

test.each(["0.0.0.0", "::", "::1", "fe80::1%eth0", "localhost", "console-1.example.com", "my_host"])(
  "HOST=%s is accepted",
  (HOST) => {
    expect(readConfig({ ENCRYPTION_KEY, HOST }, false).host).toBe(HOST);
  },
);

test.each([
  ["2", 2],
  ["127.0.0.1, 10.0.0.0/8,::1/128", ["127.0.0.1", "10.0.0.0/8", "::1/128"]],
])("TRUST_PROXY=%s is passed to Express as it understands it", (value, trusted) => {
  expect(readConfig({ ENCRYPTION_KEY, TRUST_PROXY: value }, false).trustProxy).toEqual(trusted);
});

test("the numbers of connections are read from MAX_CONNECTIONS and MAX_CONNECTIONS_PER_ADDRESS", () => {
  const env = { ENCRYPTION_KEY, MAX_CONNECTIONS: "500", MAX_CONNECTIONS_PER_ADDRESS: "50" };
  expect(readConfig(env, false).connectionLimits).toEqual({ total: 500, perAddress: 50 });
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
