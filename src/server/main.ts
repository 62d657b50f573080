import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { RunningApp } from "./app.ts";
import type { FirstAdmin } from "./modules/auth/first-admin.ts";
import { checkHost } from "./platform/environment/check-host.ts";
import { type Config, readKeys, readSettings } from "./platform/environment/config.ts";
import { describeOperationalError } from "./platform/errors.ts";
import { createLog, ignoreOutputErrors, type Log } from "./platform/log.ts";
import { stopSignal } from "./platform/stop-signal.ts";
import { openStorage } from "./storage.ts";

/**
 * How long `/readyz` answers 503 before connections are refused, of the 10 s that a stop may take.
 * Milliseconds.
 */
const DRAIN_MS = 500;
/** The same where a proxy may have other replicas: the shipped one checks each every second. */
const DRAIN_REPLICA_MS = 2_500;
/** A stop that hangs, on a database that does not answer, ends here. Milliseconds. */
const STOP_LIMIT_MS = 9_000;

const CONSOLE_DIR = join(import.meta.dirname, "../../dist/client");

interface Server {
  readonly config: Config;
  readonly log: Log;
  readonly app: RunningApp;
}

/** Why a server that had started ends. */
type End =
  | { readonly kind: "requested" }
  /** A part without which it cannot serve is gone, such as the embedded database. */
  | { readonly kind: "failed"; readonly error: Error }
  | { readonly kind: "uncaught" };

await main();

async function main(): Promise<void> {
  const stop = stopSignal(process.env);
  ignoreOutputErrors();

  let server: Server;
  try {
    server = await start(stop);
  } catch (error) {
    // The stop broke the start off. What was opened is closed, and the process ends by itself.
    if (stop.aborted) return;

    reportFailure(error);
    // A database that is still being opened would keep the process alive.
    process.exit();
  }

  try {
    await serve(server, stop);
  } catch (error) {
    reportFailure(error);
  }
}

/** Settings, log, storage, application. */
async function start(stop: AbortSignal): Promise<Server> {
  const settings = readSettings(process.env, process.stdout.isTTY === true);
  await checkHost(settings.host);
  // After all that can refuse the settings: reading the keys makes them at the first start.
  const config = readKeys(settings);

  const log = createLog({ level: config.logLevel, pretty: config.logPretty });
  stop.addEventListener("abort", () => {
    log.info({ signal: stop.reason }, "stopping");
    exitInTime();
  });
  if (process.env.NODE_ENV === "production" && config.databaseUrl === null) {
    log.warn(
      { dataDir: config.dataDir },
      "NODE_ENV is production without DATABASE_URL: using the embedded database",
    );
  }

  // The embedded database takes longest to open, so the rest is loaded meanwhile.
  const opening = openStorage(config, { log, signal: stop });
  const [storage, { createApp }] = await Promise.all([opening, import("./app.ts")]);

  const app = await createApp(config, {
    storage,
    log,
    consoleDir: CONSOLE_DIR,
    stop,
    onFirstAdmin: printFirstPassword,
  });
  return { config, log, app };
}

/** Runs until a stop is requested or something fails, then drains and closes the application. */
async function serve({ config, log, app }: Server, stop: AbortSignal): Promise<void> {
  await using _closedAtTheEnd = app;
  const uncaught = watchFailures(log);
  print(`多主机管理系统已启动：${app.url}`);

  const end = await Promise.race<End>([
    aborted(stop).then(() => ({ kind: "requested" })),
    app.failed.then((error) => ({ kind: "failed", error })),
    uncaught.then(() => ({ kind: "uncaught" })),
  ]);

  if (end.kind !== "requested") {
    process.exitCode = 1;
    exitInTime();
  }
  if (end.kind === "failed") {
    // Calls would only fail, so nothing is drained.
    log.fatal({ err: end.error }, "stopping because a part of the server failed");
    return;
  }

  app.startDraining();
  await sleep(config.databaseUrl === null ? DRAIN_MS : DRAIN_REPLICA_MS);
}

/** Resolves at the first exception that nobody caught. */
function watchFailures(log: Log): Promise<void> {
  // A promise that nobody awaits fails alone: the state of the process is what it was.
  process.on("unhandledRejection", (reason) => log.error({ err: reason }, "unhandled rejection"));

  // After an exception that nobody caught, code may have stopped half-way: calls in flight are
  // still answered, then another process must go on.
  const { promise, resolve } = Promise.withResolvers<void>();
  process.on("uncaughtException", (error) => {
    log.fatal({ err: error }, "uncaught exception");
    resolve();
  });
  return promise;
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, "abort");
}

function reportFailure(error: unknown): void {
  process.exitCode = 1;
  console.error(describeOperationalError(error) ?? error);
}

/** The exit code is what the process has set by then. */
function exitInTime(): void {
  setTimeout(() => process.exit(), STOP_LIMIT_MS).unref();
}

function printFirstPassword({ username, generatedPassword }: FirstAdmin): void {
  if (generatedPassword === null) return;

  const remark = "（仅显示这一次，首次登录后必须修改）";
  print(`首个超级管理员：${username}，初始密码：${generatedPassword}${remark}`);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
