import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { copyTestTemplate } from "../harness/database.ts";
import { startServer } from "../harness/programs.ts";

export { type ProviderProgram as ProviderProcess, startProvider } from "../harness/programs.ts";

export const ADMIN = { username: "root", password: "Correct1Horse" };

export interface ConsoleProcess extends AsyncDisposable {
  readonly url: string;
  readonly dataDir: string;
  readonly output: readonly string[];
  /** Ends the process (SIGKILL by default) and starts it again on the same data and port. */
  restart(signal?: NodeJS.Signals): Promise<void>;
}

export async function startConsole(providerUrl: string): Promise<ConsoleProcess> {
  const dataDir = await mkdtemp(join(tmpdir(), "host-console-browser-"));
  await copyTestTemplate(dataDir);
  const start = (port: string) =>
    startServer({
      PORT: port,
      DATA_DIR: dataDir,
      ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64"),
      ADMIN_USERNAME: ADMIN.username,
      ADMIN_PASSWORD: ADMIN.password,
      PROVIDER_ALLOWED_ORIGINS: providerUrl,
      LOG_LEVEL: "warn",
    });
  let running = await start("0");
  const url = running.url;
  return {
    url,
    dataDir,
    get output() {
      return running.output;
    },
    async restart(signal = "SIGKILL") {
      await running.kill(signal);
      running = await start(new URL(url).port);
    },
    async [Symbol.asyncDispose]() {
      await running[Symbol.asyncDispose]();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
