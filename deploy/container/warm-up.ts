import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

/**
 * Run while the image is built, in the directory of the finished server: starts it once on a database of its own and stops it,
 * so that what it compiled is in the image. Fails when the server does.
 */
const dataDir = await mkdtemp(join(tmpdir(), "warm-up-"));
const said: string[] = [];
try {
  const server = spawn(process.execPath, [...process.execArgv, "scripts/start.ts"], {
    env: { ...process.env, DATA_DIR: dataDir, PORT: "0", HOST: "127.0.0.1", LOG_LEVEL: "warn" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(server, "exit");
  for await (const line of createInterface({ input: server.stdout })) {
    said.push(line);
    const url = /：(http:\S+)$/.exec(line)?.[1];
    if (url === undefined) continue;
    // What is imported by the first request only.
    for (const path of ["/", "/readyz", "/api/openapi.json", "/api/docs"]) await fetch(url + path);
    server.kill("SIGTERM");
  }
  const [code] = await exited;
  if (code !== 0) throw new Error(`the server ended with code ${code}`);
} catch (error) {
  console.error(said.join("\n"));
  throw error;
} finally {
  await rm(dataDir, { recursive: true, force: true });
}
