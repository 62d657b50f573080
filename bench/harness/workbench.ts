import { join } from "node:path";
import { createTRPCClient, createWSClient, wsLink } from "@trpc/client";
import { startProgram } from "../../scripts/processes.ts";
import type { AppRouter } from "../../src/server/app-router.ts";
import type { StreamEvent } from "../../src/shared/events.ts";
import { MAIN_KEYS } from "../../src/simulator/options.ts";
import { type RestClient, restClient } from "../../test/harness/rest.ts";
import type { BenchDatabase, DatabaseKind, Databases } from "./databases.ts";
import { type ServerProcess, startServer } from "./server.ts";

const SIMULATOR = join(import.meta.dirname, "../../src/simulator/main.ts");
export const ADMIN = { username: "admin", password: "Celiang2026" };

/** A server on an empty database, a simulated provider it is configured for, each a process of its own, and a signed-in caller. */
export interface Workbench {
  readonly providerUrl: string;
  readonly server: ServerProcess;
  readonly database: BenchDatabase;
  /** The server's settings; a second server with the same ones is its replica. */
  readonly env: Readonly<Record<string, string>>;
  readonly rest: RestClient;
  /** Resolves once the stream is open; it closes with the stack. */
  subscribe(onEvent: (event: StreamEvent) => void): Promise<void>;
}

export interface WorkbenchOptions {
  readonly kind: DatabaseKind;
  readonly providerUrl: string;
}

/** The provider: `hosts` over all its regions and three projects, `latency` ms per call. */
export async function startProvider(
  stack: AsyncDisposableStack,
  { hosts, latency }: { readonly hosts: number; readonly latency: number },
): Promise<string> {
  const args = [SIMULATOR, "--port", "0", "--hosts", String(hosts), "--latency", String(latency)];
  return stack.use(await startProgram(args, {}, /listening on (http:\S+)/)).announced;
}

export async function startWorkbench(
  stack: AsyncDisposableStack,
  databases: Databases,
  { kind, providerUrl }: WorkbenchOptions,
): Promise<Workbench> {
  const database = await databases.create(stack, kind);
  const env = {
    ...database.env,
    ADMIN_USERNAME: ADMIN.username,
    ADMIN_PASSWORD: ADMIN.password,
    PROVIDER_ALLOWED_ORIGINS: providerUrl,
  };
  // The process that makes the database keeps traces of that work; the one that is measured finds it made.
  await (await startServer(env))[Symbol.asyncDispose]();
  const server = stack.use(await startServer(env));
  const login = await restClient(server.url).post("/api/auth/login", ADMIN);
  const token = String(login.data.token);
  const rest = restClient(server.url, token);
  const config = { name: "主账号", ...MAIN_KEYS, apiUrl: providerUrl, defaultRegion: "cn-bj2" };
  const created = await rest.post("/api/hosts/configs", config);
  if (created.status !== 201) throw new Error(`the configuration was refused: ${JSON.stringify(created.body)}`);
  return {
    providerUrl,
    server,
    database,
    env,
    rest,
    subscribe: (onEvent) => subscribe(stack, { url: server.url, token, onEvent }),
  };
}

/** Resolves once the stream is open; it closes with the stack. */
export async function subscribe(
  stack: AsyncDisposableStack,
  { url, token, onEvent }: { url: string; token: string; onEvent: (event: StreamEvent) => void },
): Promise<void> {
  const socket = createWSClient({ url: `${url.replace("http", "ws")}/trpc`, connectionParams: { token } });
  stack.defer(() => socket.close());
  const client = createTRPCClient<AppRouter>({ links: [wsLink({ client: socket })] });
  await new Promise<void>((resolve, reject) => {
    client.events.stream.subscribe(undefined, {
      onData({ data }) {
        if (data.type === "stream.ready") resolve();
        else onEvent(data);
      },
      onError: reject,
    });
  });
}
