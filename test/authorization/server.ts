import { randomBytes } from "node:crypto";
import { createApp } from "../../src/server/app.ts";
import { readConfig } from "../../src/server/config/config.ts";
import type { Clock } from "../../src/server/core/clock.ts";
import { createLog } from "../../src/server/core/log.ts";
import { openStorage } from "../../src/server/storage.ts";
import { type Simulator, startSimulator } from "../../src/simulator/server.ts";
import { PASSWORD, WEAK_HASHES } from "../harness/app.ts";
import { openTestDatabase, type TestDatabase } from "../harness/database.ts";

/** A server with its own database and simulator, shared by all tests of a file. */
export interface Server extends AsyncDisposable {
  readonly url: string;
  readonly database: TestDatabase;
  readonly simulator: Simulator;
}

/** The first super admin is `root`. */
export async function startServer(clock: Clock, settings: Readonly<Record<string, string>>): Promise<Server> {
  await using resources = new AsyncDisposableStack();
  const database = resources.use(await openTestDatabase());
  const simulator = resources.use(await startSimulator({ hosts: 6, seed: 7, regions: 1, projects: 1 }));
  const env = {
    PORT: "0",
    ADMIN_USERNAME: "root",
    ADMIN_PASSWORD: PASSWORD,
    ENCRYPTION_KEY: randomBytes(32).toString("base64"),
    PROVIDER_ALLOWED_ORIGINS: simulator.url,
    ...settings,
  };
  const config = readConfig(env, false);
  const log = createLog({ level: process.env.TEST_LOG_LEVEL ?? "silent", pretty: false });
  const storage = await openStorage(config, { connection: database.connection, log });
  const app = resources.use(await createApp(config, { storage, log, passwordCost: WEAK_HASHES, clock }));
  const started = resources.move();
  return { url: app.url, database, simulator, [Symbol.asyncDispose]: () => started.disposeAsync() };
}
