import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { checkHost } from "./platform/environment/check-host.ts";
import { readKeys, readSettings } from "./platform/environment/config.ts";
import { describeOperationalError } from "./platform/errors.ts";
import { createLog, ignoreOutputErrors } from "./platform/log.ts";
import { stopSignal } from "./platform/stop-signal.ts";
import { openStorage } from "./storage.ts";

/** How long `/readyz` answers 503 before connections are refused, of the 10 s that a stop may take. Milliseconds. */
const DRAIN_MS = 500;
/** The same where a proxy may have other replicas: the shipped one checks each every second. */
const DRAIN_REPLICA_MS = 2_500;
/** A stop that hangs, on a database that does not answer, ends here. Milliseconds. */
const STOP_LIMIT_MS = 9_000;

await main();

async function main(): Promise<void> {
  const stop = stopSignal(process.env);
  const stopRequested = once(stop, "abort");
  ignoreOutputErrors();
  let isStarted = false;
  try {
    const settings = readSettings(process.env, process.stdout.isTTY === true);
    await checkHost(settings.host);
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
    const consoleDir = join(import.meta.dirname, "../../dist/client");
    await using app = await createApp(config, {
      storage,
      log,
      consoleDir,
      stop,
      onFirstAdmin({ username, generatedPassword }) {
        if (generatedPassword === null) return;
        print(
          `首个超级管理员：${username}，初始密码：${generatedPassword}（仅显示这一次，首次登录后必须修改）`,
        );
      },
    });
    isStarted = true;
    // A promise that nobody awaits fails alone: the state of the process is what it was.
    process.on("unhandledRejection", (reason) => log.error({ err: reason }, "unhandled rejection"));
    const uncaught = Promise.withResolvers<void>();
    process.on("uncaughtException", (error) => {
      log.fatal({ err: error }, "uncaught exception");
      uncaught.resolve();
    });
    print(`多主机管理系统已启动：${app.url}`);

    const end = await Promise.race([
      stopRequested.then(() => ({ kind: "requested" }) as const),
      app.failed.then((error) => ({ kind: "failed", error }) as const),
      uncaught.promise.then(() => ({ kind: "uncaught" }) as const),
    ]);
    if (end.kind !== "requested") {
      process.exitCode = 1;
      exitInTime();
    }
    if (end.kind === "failed") {
      log.fatal({ err: end.error }, "stopping because a part of the server failed");
      return;
    }
    // After an exception that nobody caught, code may have stopped half-way: another process must go on.
    app.startDraining();
    await sleep(config.databaseUrl === null ? DRAIN_MS : DRAIN_REPLICA_MS);
  } catch (error) {
    if (stop.aborted && !isStarted) return;
    process.exitCode = 1;
    console.error(describeOperationalError(error) ?? error);
    // A database that is still being opened would keep the process alive.
    if (!isStarted) process.exit();
  }
}

/** The exit code is what the process has set by then. */
function exitInTime(): void {
  setTimeout(() => process.exit(), STOP_LIMIT_MS).unref();
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
