import { startServer } from "../harness/programs.ts";
import { ROOT_ENV } from "../harness/root-user.ts";
import { openTestStorage } from "../harness/storage.ts";

export interface ConsoleProcess extends AsyncDisposable {
  readonly url: string;
  /** Kills the process and starts it again on the same data and port. */
  restart(): Promise<void>;
}

/** A console in a process of its own, on a new database. */
export async function startConsoleProcess(providerUrl: string): Promise<ConsoleProcess> {
  await using resources = new AsyncDisposableStack();
  const storage = resources.use(await openTestStorage());
  const settings = { ...storage.env, ...ROOT_ENV, PROVIDER_ALLOWED_ORIGINS: providerUrl, LOG_LEVEL: "warn" };
  let running = await startServer(settings);
  const { url } = running;
  // An orderly stop would wait for the announcement to proxies.
  resources.defer(async () => void (await running.kill("SIGKILL")));
  const opened = resources.move();
  return {
    url,
    async restart() {
      await running.kill("SIGKILL");
      running = await startServer({ ...settings, PORT: new URL(url).port });
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}
