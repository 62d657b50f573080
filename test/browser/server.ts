import { join } from "node:path";
import { createApp } from "../../src/server/app.ts";
import { readConfig } from "../../src/server/config/config.ts";
import { createLog } from "../../src/server/core/log.ts";
import { openStorage } from "../../src/server/storage.ts";
import type { TestDatabase } from "../harness/database.ts";
import { startServer } from "../harness/programs.ts";
import { ENCRYPTION_KEY, openTestStorage, TEST_SERVER_URL } from "../harness/storage.ts";

export const ADMIN = { username: "root", password: "Correct1Horse" };
/** The minimum cost of argon2id. */
const WEAK_HASHES = { memoryCost: 8, timeCost: 1 };
const CONSOLE_DIR = join(import.meta.dirname, "../../dist/client");
const log = createLog({ level: "silent", pretty: false });

export interface Console extends AsyncDisposable {
  readonly url: string;
}

export interface ConsoleProcess extends Console {
  /** Kills the process and starts it again on the same data and port. */
  restart(): Promise<void>;
}

/** A console in this process: it starts in a tenth of the time of a process. */
export async function startConsole(database: TestDatabase, providerUrl: string): Promise<Console> {
  await database.clear();
  const config = readConfig({ ...settings(providerUrl), PORT: "0", ENCRYPTION_KEY }, false);
  const storage = await openStorage(config, { connection: database.connection, log });
  return await createApp(config, { storage, log, passwordCost: WEAK_HASHES, consoleDir: CONSOLE_DIR });
}

/** A console in a process of its own, on a new database. */
export async function startConsoleProcess(providerUrl: string): Promise<ConsoleProcess> {
  await using resources = new AsyncDisposableStack();
  const storage = resources.use(await openTestStorage({ server: TEST_SERVER_URL }));
  const start = (port: string) =>
    startServer({ ...storage.env, ...settings(providerUrl), PORT: port, LOG_LEVEL: "warn" });
  let running = await start("0");
  const { url } = running;
  // An orderly stop would wait for the announcement to proxies.
  resources.defer(async () => void (await running.kill("SIGKILL")));
  const opened = resources.move();
  return {
    url,
    async restart() {
      await running.kill("SIGKILL");
      running = await start(new URL(url).port);
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

function settings(providerUrl: string) {
  return {
    ADMIN_USERNAME: ADMIN.username,
    ADMIN_PASSWORD: ADMIN.password,
    PROVIDER_ALLOWED_ORIGINS: providerUrl,
  };
}
