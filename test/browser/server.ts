import { startServer } from "../harness/programs.ts";
import { openTestStorage, TEST_SERVER_URL } from "../harness/storage.ts";

export { type ProviderProgram as ProviderProcess, startProvider } from "../harness/programs.ts";

export const ADMIN = { username: "root", password: "Correct1Horse" };

export interface ConsoleProcess extends AsyncDisposable {
  readonly url: string;
  /** Kills the process and starts it again on the same data and port. */
  restart(): Promise<void>;
}

/** A console with an empty database: on PostgreSQL where it is installed, because it starts in less than half the time. */
export async function startConsole(providerUrl: string): Promise<ConsoleProcess> {
  await using resources = new AsyncDisposableStack();
  const storage = resources.use(await openTestStorage({ server: TEST_SERVER_URL }));
  const start = (port: string) =>
    startServer({
      ...storage.env,
      PORT: port,
      ADMIN_USERNAME: ADMIN.username,
      ADMIN_PASSWORD: ADMIN.password,
      PROVIDER_ALLOWED_ORIGINS: providerUrl,
      LOG_LEVEL: "warn",
    });
  let running = await start("0");
  const { url } = running;
  // An orderly stop would wait for the announcement to proxies.
  resources.defer(async () => void (await running.kill("SIGKILL")));
  const opened = resources.move();
  return {
    url,
    async restart() {
      await running.kill("SIGKILL");
      running = await start(new URL(url).port);
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}
