import { randomBytes } from "node:crypto";
import { createApp } from "../../src/server/app.ts";
import { readConfig } from "../../src/server/config/config.ts";
import type { Clock } from "../../src/server/core/clock.ts";
import { createLog } from "../../src/server/core/log.ts";
import type { DatabaseConnection } from "../../src/server/database/open.ts";
import { openStorage } from "../../src/server/storage.ts";
import type { SimulatorOptions } from "../../src/simulator/options.ts";
import { type Simulator, startSimulator } from "../../src/simulator/server.ts";
import { PASSWORD, WEAK_HASHES } from "./app.ts";
import { openTestDatabase, type TestDatabase } from "./database.ts";

/** A server on one database that is shared by many tests. */
export interface StandingApp extends AsyncDisposable {
  readonly url: string;
  readonly database: TestDatabase;
  readonly simulator: Simulator;
}

export interface StandingAppOptions {
  readonly simulator?: SimulatorOptions;
  readonly clock?: Clock;
  /** Environment variables beside those of the harness. */
  readonly env?: Readonly<Record<string, string>>;
  /** What the server gets in the place of the database's own address; what is opened for it is put into the stack. */
  readonly connectThrough?: (
    connection: DatabaseConnection,
    resources: AsyncDisposableStack,
  ) => Promise<DatabaseConnection>;
}

/** The first super admin is `root`, like with `useApp`. */
export async function startStandingApp(options: StandingAppOptions = {}): Promise<StandingApp> {
  await using resources = new AsyncDisposableStack();
  const database = resources.use(await openTestDatabase());
  const connection = (await options.connectThrough?.(database.connection, resources)) ?? database.connection;
  const simulator = resources.use(await startSimulator(options.simulator));
  const env = {
    PORT: "0",
    ADMIN_USERNAME: "root",
    ADMIN_PASSWORD: PASSWORD,
    ENCRYPTION_KEY: randomBytes(32).toString("base64"),
    PROVIDER_ALLOWED_ORIGINS: simulator.url,
    ...options.env,
  };
  const config = readConfig(env, false);
  const log = createLog({ level: process.env.TEST_LOG_LEVEL ?? "silent", pretty: false });
  const app = resources.use(
    await createApp(config, {
      storage: await openStorage(config, { connection, log }),
      log,
      passwordCost: WEAK_HASHES,
      ...(options.clock === undefined ? {} : { clock: options.clock }),
    }),
  );
  const started = resources.move();
  return { url: app.url, database, simulator, [Symbol.asyncDispose]: () => started.disposeAsync() };
}
