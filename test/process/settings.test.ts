import { once } from "node:events";
import { existsSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { ConfigError, readConfig } from "../../src/server/config.ts";
import { startServerProcess } from "../harness/programs.ts";
import { ENCRYPTION_KEY, openPlace } from "./place.ts";
import { TEST_LIMIT } from "./programs.ts";

vi.setConfig({ testTimeout: TEST_LIMIT });

const UNREACHABLE = "postgres://somebody:secret-word@127.0.0.1:1/nowhere";

/** Every one of them is wrong by itself. */
const BAD = {
  PORT: "65536",
  DATABASE_URL: "mysql://127.0.0.1/console",
  ADMIN_USERNAME: "a b",
  ADMIN_PASSWORD: "weak",
  ENCRYPTION_KEY: Buffer.alloc(31).toString("base64"),
  ENCRYPTION_KEYS_OLD: `${ENCRYPTION_KEY},x`,
  PROVIDER_ALLOWED_ORIGINS: "http://127.0.0.1:4999/path",
  PUBLIC_ORIGINS: "console.example.com",
  TRUST_PROXY: "10.0.0.0/33",
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
    ["DATABASE_URL", "127.0.0.1:5432"],
    ["ENCRYPTION_KEY", "not base64!"],
    ["PROVIDER_ALLOWED_ORIGINS", "http://127.0.0.1:4999,"],
    ["PROVIDER_ALLOWED_ORIGINS", "ftp://127.0.0.1"],
    ["PUBLIC_ORIGINS", "*"],
    ["TRUST_PROXY", "yes"],
    ["SESSION_TTL_HOURS", "1e9"],
    ["SESSION_IDLE_MINUTES", "soon"],
    ["ADMIN_PASSWORD", "alllowercase1"],
    ["ADMIN_USERNAME", "名字"],
    ["SUPPORT_URL", "javascript:alert(1)"],
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
});

test("settings that cannot be met stop the start with one line and exit code 1: a port that is taken, a password that everybody uses", async () => {
  await using place = await openPlace();
  const taken = createServer().listen(0, "127.0.0.1");
  await once(taken, "listening");
  const address = taken.address();
  const port = typeof address === "object" ? String(address?.port) : "";
  try {
    const settings = { ...place.env, LOG_LEVEL: "warn" };
    await using common = startServerProcess({ ...settings, ADMIN_PASSWORD: "Password123" });
    expect(await common.exited).toEqual({ code: 1, signal: null });
    expect(common.output).toEqual([expect.stringMatching(/^ADMIN_PASSWORD: /)]);
    await using server = startServerProcess({ ...settings, ADMIN_PASSWORD: "Correct1Horse", PORT: port });
    expect(await server.exited).toEqual({ code: 1, signal: null });
    expect(server.output).toEqual([expect.stringMatching(/^PORT, HOST: .*EADDRINUSE/)]);
  } finally {
    taken.close();
  }
});

function problemsOf(env: Record<string, string>): string[] {
  try {
    readConfig({ DATA_DIR: "/nonexistent/data", ...env }, false);
  } catch (error) {
    if (error instanceof ConfigError) return error.message.split("\n");
    throw error;
  }
  return [];
}
