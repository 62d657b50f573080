import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { startProgram, stopSignal } from "./processes.ts";

/** For whoever works on the product: simulator, server (restarted on change), console with hot reload on http://127.0.0.1:5173. */
const ROOT = join(import.meta.dirname, "..");
const stopped = stopSignal();
await using resources = new AsyncDisposableStack();
const simulator = resources.use(
  await startProgram(
    [join(ROOT, "src/simulator/main.ts"), "--port", "4999", "--hosts", "500", "--latency", "80"],
    {},
    /listening on (http:\S+)/,
  ),
);
const settings = {
  PROVIDER_ALLOWED_ORIGINS: simulator.announced,
  PUBLIC_ORIGINS: "http://127.0.0.1:5173",
  ADMIN_PASSWORD: "Kaifa2026x",
};
console.log(`模拟云服务商：${simulator.announced}；首个管理员：admin / ${settings.ADMIN_PASSWORD}`);
const server = start(process.execPath, [
  "--watch",
  "--watch-path=src/server",
  "--watch-path=src/shared",
  "src/server/main.ts",
]);
const consoleServer = start(join(ROOT, "node_modules/.bin/vite"), ["--host", "127.0.0.1"]);
await Promise.race([stopped, once(server, "exit"), once(consoleServer, "exit")]);

function start(command: string, args: readonly string[]) {
  const child = spawn(command, args, { cwd: ROOT, stdio: "inherit", env: { ...settings, ...process.env } });
  resources.defer(async () => {
    if (child.exitCode !== null) return;
    child.kill("SIGTERM");
    await once(child, "exit");
  });
  return child;
}
