import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { stopSignal } from "../src/server/platform/stop-signal.ts";
import { startSimulator } from "../src/simulator/server.ts";

const ROOT = join(import.meta.dirname, "..");

/**
 * For developers: simulator, server (restarted on change), console with hot reload on
 * http://127.0.0.1:5173.
 */
const stopped = once(stopSignal(process.env), "abort");
await using resources = new AsyncDisposableStack();
const simulator = resources.use(
  await startSimulator({ port: 4999, hosts: 500, latencyMs: 80, clock: "system" }),
);
const settings = {
  PROVIDER_ALLOWED_ORIGINS: simulator.url,
  PUBLIC_ORIGINS: "http://127.0.0.1:5173",
  ADMIN_PASSWORD: "Kaifa2026x",
};
console.log(
  `模拟云服务商：${simulator.url}；数据目录为空时的首个管理员：admin / ${settings.ADMIN_PASSWORD}`,
);
const server = start(
  "--watch",
  "--watch-path=src/server",
  "--watch-path=src/shared",
  "--watch-path=mikro-orm.config.ts",
  "src/server/main.ts",
);
const vite = start("node_modules/vite/bin/vite.js", "--host", "127.0.0.1");
await Promise.race([stopped, once(server, "exit"), once(vite, "exit")]);

function start(...args: readonly string[]) {
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    stdio: "inherit",
    env: { ...settings, ...process.env },
  });
  resources.defer(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGTERM");
    await once(child, "exit");
  });
  return child;
}
