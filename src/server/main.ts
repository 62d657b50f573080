import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { DestinationStream } from "pino";
import type { FirstAdmin } from "./auth/first-admin.ts";
import { readConfig } from "./config/config.ts";
import { createLog } from "./core/log.ts";
import { operatorSentence } from "./core/operator-sentence.ts";
import { standardOutput } from "./core/standard-output.ts";
import { keepHeapModest } from "./modest-heap.ts";
import { openDatabase } from "./open-database.ts";

/** How long who asks `/readyz` is told before connections are refused, of the 10 s that a stop may take. */
const ANNOUNCED_MS = 500;

keepHeapModest();
await main();

/** Reads the settings, starts, waits for a signal or a fatal fault, stops. The exit code says how it went. */
async function main(): Promise<void> {
  const stop = new AbortController();
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => stop.abort(signal));
  let isStarted = false;
  try {
    const config = readConfig(process.env, process.stdout.isTTY === true);
    const log = createLog({ level: config.logLevel, pretty: config.logPretty });
    // For people. Not process.stdout, whose last write keeps the process for as long as nobody reads it.
    const output = standardOutput();
    stop.signal.addEventListener("abort", () => log.info({ signal: stop.signal.reason }, "stopping"), { once: true });
    // The embedded database takes longest, so the rest is loaded while it opens.
    const opening = openDatabase(config, log, { signal: stop.signal });
    const [database, { createApp }] = await Promise.all([opening, import("./app.ts")]);
    const consoleDir = join(import.meta.dirname, "../../dist/client");
    await using app = await createApp(config, {
      database,
      log,
      consoleDir,
      stop: stop.signal,
      onFirstAdmin: (made) => printPassword(output, made),
    });
    isStarted = true;
    // Something nobody awaited must not take the process down; it is a bug all the same.
    process.on("unhandledRejection", (reason) => log.error({ err: reason }, "unhandled rejection"));
    process.on("uncaughtException", (error) => log.error({ err: error }, "uncaught exception"));
    // It comes last: whoever waits for this line has read all there is to know of the start.
    output.write(`多主机管理系统已启动：${app.url}\n`);
    const reason = await Promise.race([aborted(stop.signal), app.failed]);
    if (reason instanceof Error) {
      log.fatal({ err: reason }, "stopping because a part of the server died");
      process.exitCode = 1;
    } else {
      app.announceStop();
      await sleep(ANNOUNCED_MS);
    }
  } catch (error) {
    // What a start that is told to stop was at, it leaves undone.
    if (stop.signal.aborted && !isStarted) return;
    process.exitCode = 1;
    console.error(operatorSentence(error) ?? error);
  }
}

function printPassword(output: DestinationStream, { username, generatedPassword }: FirstAdmin): void {
  if (generatedPassword === null) return;
  output.write(`首个超级管理员：${username}，初始密码：${generatedPassword}（仅显示这一次，首次登录后必须修改）\n`);
}

function aborted(signal: AbortSignal): Promise<unknown> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve(signal.reason);
    signal.addEventListener("abort", () => resolve(signal.reason), { once: true });
  });
}
