import { join } from "node:path";
import { type AppOptions, createApp } from "../../src/server/app.ts";
import type { PasswordCost } from "../../src/server/modules/auth/password-hasher.ts";
import type { DatabaseConnection } from "../../src/server/platform/database/open.ts";
import type { Config } from "../../src/server/platform/environment/config.ts";
import { createLog } from "../../src/server/platform/log.ts";
import { openStorage } from "../../src/server/storage.ts";
import { databaseClockOf } from "./clocks.ts";
import { ROOT_USER } from "./root-user.ts";
import { ENCRYPTION_KEY } from "./storage.ts";
import { within } from "./time-limits.ts";

/** The minimum cost of argon2id; tests of hashing use the product's cost. */
export const WEAK_HASHES: PasswordCost = { memoryCost: 8, timeCost: 1 };

export interface StartOptions {
  readonly overrides?: Partial<AppOptions> | undefined;
  readonly config?: Partial<Config> | undefined;
  /** How long a call waits for one answer of the database. Milliseconds. */
  readonly answerLimitMs?: number;
}

/**
 * Starts a server in this process on the database, with `root` as its first super admin. Those on
 * one database are replicas.
 */
export async function startApp(
  connection: DatabaseConnection,
  { overrides, config: more, answerLimitMs = within(20_000) }: StartOptions = {},
) {
  const config = testConfig(more);
  const log = createLog({ level: process.env.TEST_LOG_LEVEL ?? "silent", pretty: false });
  const storage = await openStorage(config, { connection, log, answerLimitMs });
  const consoleDir = join(import.meta.dirname, "../../dist/client");
  const app = await createApp(config, {
    storage,
    log,
    passwordCost: WEAK_HASHES,
    consoleDir,
    ...databaseClockLike(overrides?.clock),
    ...overrides,
  });
  return { ...app, orm: storage.orm };
}

/** A test that moves the clock of the server moves that of the database, unless it has another. */
function databaseClockLike(clock: AppOptions["clock"]): Partial<AppOptions> {
  return clock === undefined ? {} : { databaseClock: databaseClockOf(clock) };
}

function testConfig(more: Partial<Config> = {}): Config {
  return {
    port: 0,
    host: "127.0.0.1",
    databaseUrl: null,
    dataDir: "/nonexistent",
    admin: ROOT_USER,
    encryptionKey: Buffer.from(ENCRYPTION_KEY, "base64"),
    oldEncryptionKeys: [],
    hasKeyFile: false,
    providerAllowedOrigins: [],
    outboundAllowed: { origins: [], servers: [] },
    publicOrigins: [],
    trustProxy: false,
    connectionLimits: { total: 2_000, perAddress: 200 },
    session: { ttl: 12 * 3600, idle: 2 * 3600 },
    auditRetention: 400 * 24 * 3600,
    logLevel: "silent",
    logPretty: false,
    metricsToken: null,
    links: { support: "https://example.com/support", help: "https://example.com/help" },
    ...more,
  };
}
