import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { describeOperationalError } from "../src/server/core/errors.ts";
import { MAIN_KEYS } from "../src/simulator/options.ts";
import { DEMO_ADMIN, fillDemo } from "./demo-data.ts";
import { SERVER, SIMULATOR, startProgram, stopRequested } from "./processes.ts";

const HOSTS = 1200;
const Projects = z.array(z.object({ id: z.string() }));

try {
  await runDemo(stopRequested());
} catch (error) {
  process.exitCode = 1;
  console.error(describeOperationalError(error) ?? error);
}

/** A server with a simulated provider, on a database that is deleted at the end. */
async function runDemo(stopped: Promise<void>): Promise<void> {
  await using resources = new AsyncDisposableStack();
  const dataDir = resources.adopt(await mkdtemp(join(tmpdir(), "host-console-demo-")), (directory) =>
    rm(directory, { recursive: true, force: true }),
  );
  const options = ["--port", "0", "--hosts", String(HOSTS), "--latency", "120", "--jitter", "80"];
  const simulator = resources.use(await startProgram([SIMULATOR, ...options], {}, /listening on (http:\S+)/));
  const settings = {
    DATA_DIR: dataDir,
    // The demo never touches a database that the environment names.
    DATABASE_URL: "",
    DATABASE_URL_FILE: "",
    ADMIN_USERNAME: DEMO_ADMIN.username,
    ADMIN_PASSWORD: DEMO_ADMIN.password,
    ADMIN_PASSWORD_FILE: "",
    PROVIDER_ALLOWED_ORIGINS: simulator.address,
    LOG_LEVEL: process.env.LOG_LEVEL ?? "warn",
  };
  const server = resources.use(await startProgram([SERVER], settings, /：(http:\S+)$/));
  const signIns = await fillDemo(server.address, await readProvider(simulator.address));

  console.log(`\n多主机管理系统演示已就绪：${server.address}\n`);
  for (const { role, username, password } of signIns) console.log(`  ${role}\t${username}\t${password}`);
  console.log(`\n登录超级管理员后，在“主机管理”中点击“同步主机”，即可看到约 ${HOSTS} 台主机实时到达。`);
  console.log("演示数据在退出（Ctrl+C）后删除。\n");
  await Promise.race([stopped, server.exited, simulator.exited]);
}

async function readProvider(url: string) {
  const answer = await fetch(`${url}/__control/projects`, { method: "POST", body: "[]" });
  const projects = Projects.parse(await answer.json());
  const firstProject = projects.at(-1)?.id;
  if (firstProject === undefined) throw new Error("the simulator lists no project");
  return { url, ...MAIN_KEYS, firstProject };
}
