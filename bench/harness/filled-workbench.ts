import { restClient } from "../../test/harness/rest.ts";
import type { DatabaseKind, Databases } from "./databases.ts";
import type { Load } from "./load.ts";
import { type SyncClock, timeSyncs } from "./sync-run.ts";
import { startWorkbench, type Workbench } from "./workbench.ts";

/** Of every client. */
export const PASSWORD = "Celiang2026";
const OWN_HOSTS = 30;
const CONNECTIONS = 10;

/** A server that has synced everything. */
export interface FilledWorkbench {
  readonly workbench: Workbench;
  readonly clock: SyncClock;
  readonly client: { readonly id: string; readonly token: string | null; readonly username: string };
}

/** One list, as a super admin or as the client. */
export interface List {
  readonly name: string;
  readonly query: string;
  readonly asClient: boolean;
}

/** All hosts, synced; thirty of them are one client's, and three hundred some others'. */
export async function fillWorkbench(
  stack: AsyncDisposableStack,
  databases: Databases,
  options: { readonly kind: DatabaseKind; readonly providerUrl: string },
): Promise<FilledWorkbench> {
  const workbench = await startWorkbench(stack, databases, options);
  const clock = await timeSyncs(workbench);
  await clock.run();
  const { data } = await workbench.rest.get("/api/hosts?limit=100&page=2");
  const ids: string[] = data.hosts.map((host: { readonly id: string }) => host.id);
  const client = await assignTo(workbench, "client1", ids.slice(0, OWN_HOSTS));
  for (const name of ["client2", "client3", "client4"]) await assignTo(workbench, name, ids);
  await workbench.database.query("vacuum analyze hosts");
  const login = await restClient(workbench.server.url).post("/api/auth/login", {
    username: "client1",
    password: PASSWORD,
  });
  return { workbench, clock, client: { id: client, token: String(login.data.token), username: "client1" } };
}

/** The list asked for by ten callers at once. */
export function listLoad({ workbench, client }: FilledWorkbench, { query, asClient }: List, seconds: number): Load {
  const token = asClient ? client.token : workbench.rest.token;
  return { url: `${workbench.server.url}/api/hosts?${query}`, seconds, connections: CONNECTIONS, token };
}

async function assignTo({ rest }: Workbench, username: string, hostIds: readonly string[]): Promise<string> {
  const user = await rest.post("/api/users", { username, password: PASSWORD, name: username, role: "client" });
  const assignedAt = Math.floor(Date.now() / 1000);
  const answer = await rest.post("/api/hosts/batch", {
    operation: "assign",
    hostIds,
    userId: user.data.id,
    assignedAt,
    assignedExpireTime: assignedAt + 90 * 86_400,
  });
  if (answer.status !== 200) throw new Error(`the hosts were not assigned: ${JSON.stringify(answer.body)}`);
  return String(user.data.id);
}
