import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { ROOT, SERVER, SIMULATOR, startProgram, stopRequested } from "./processes.ts";

/** For developers: simulator, server (restarted on change), console with hot reload on http://127.0.0.1:5173. */
const stopped = stopRequested();
await using resources = new AsyncDisposableStack();
const options = ["--port", "4999", "--hosts", "500", "--latency", "80"];
const simulator = resources.use(await startProgram([SIMULATOR, ...options], {}, /listening on (http:\S+)/));
const settings = {
  PROVIDER_ALLOWED_ORIGINS: simulator.address,
  PUBLIC_ORIGINS: "http://127.0.0.1:5173",
  ADMIN_PASSWORD: "Kaifa2026x",
};
console.log(`模拟云服务商：${simulator.address}；数据目录为空时的首个管理员：admin / ${settings.ADMIN_PASSWORD}`);
const server = start("--watch", "--watch-path=src/server", "--watch-path=src/shared", SERVER);
const vite = start(join(ROOT, "node_modules/vite/bin/vite.js"), "--host", "127.0.0.1");
await Promise.race([stopped, once(server, "exit"), once(vite, "exit")]);

function start(...args: readonly string[]) {
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: "inherit", env: { ...settings, ...process.env } });
  resources.defer(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGTERM");
    await once(child, "exit");
  });
  return child;
}
