/** A program that uses the published package only. Prints its results as JSON. */
export const WORKING_PROGRAM = `
import { type ConsoleError, type ErrorCode, type Host, type SyncRun, createConsoleClient, errorCode } from "host-console-sdk";

declare const process: { readonly argv: readonly string[] };
const [, , url = "", configId = "", userId = "", clientName = "", password = ""] = process.argv;

const operator = createConsoleClient({ url });
const { user } = await operator.login("root", password);

const progress: SyncRun["status"][] = [];
const finished = new Promise<SyncRun>((resolve, reject) => {
  operator.api.events.stream.subscribe(undefined, {
    onData({ id, data: event }) {
      switch (event.type) {
        case "stream.ready":
          if (id === "") reject(new Error("an event without an id"));
          void operator.api.hosts.sync.mutate({ configId, wait: 0 });
          break;
        case "sync.progress":
          progress.push(event.data.status);
          break;
        case "sync.finished":
          resolve(event.data);
          break;
      }
    },
    onError: (error: ConsoleError) => reject(error),
  });
});
const run = await finished;

const { pagination: everything } = await operator.api.hosts.list.query();
const { hosts, pagination } = await operator.api.hosts.list.query({ status: "Running", limit: 1 });
const host: Host | undefined = hosts[0];
if (host === undefined) throw new Error("there is no host");
const now = Math.floor(Date.now() / 1000);
const assignedExpireTime = now + 10 * 86_400;
const assigned = await operator.api.hosts.assign.mutate({ hostId: host.id, userId, assignedExpireTime });

const client = createConsoleClient({ url });
await client.login(clientName, password);
const renewal = await client.api.renewals.create.mutate({ hostId: host.id, requestedDuration: 30 });
const done = await operator.api.renewals.process.mutate({ id: renewal.id, status: "completed", adminRemark: null });

let refusal: ErrorCode | null = null;
try {
  await client.api.renewals.process.mutate({ id: renewal.id, status: "completed" });
} catch (error) {
  refusal = errorCode(error);
}
await Promise.all([operator.close(), client.close()]);

console.log(
  JSON.stringify({
    role: user.role,
    run: { status: run.status, seen: run.hostsSeen, total: run.hostsTotal },
    progress: progress.length,
    total: pagination.total,
    everything: everything.total,
    users: assigned.users.map(({ id }) => id),
    moved: done.assignedExpireTime - assignedExpireTime,
    refusal,
  }),
);
`;

/** One mistake each, on a line of its own, which a compiler must refuse. */
export const MISTAKES = [
  "createConsoleClient({});",
  'createConsoleClient({ url: "http://127.0.0.1", password: "x" });',
  "client.api.hosts.list.mutate({});",
  'client.api.hosts.list.query({ status: "Broken" });',
  "client.api.hosts.list.query({ pages: 1 });",
  "client.api.hosts.get.query();",
  "client.api.users.get.query({ id: 1 });",
  'client.api.users.create.mutate({ username: "u", password: "p", name: "n", role: "super_admin" });',
  'client.api.renewals.create.mutate({ hostId: "x" });',
  'client.api.hosts.batch.mutate({ operation: "assign", hostIds: [] });',
  "client.api.hosts.nothing.query();",
  "const cpu: string = (await client.api.hosts.get.query({ id })).cpu;",
  "(await client.api.configs.list.query())[0]?.privateKey;",
  'const isKnown = errorCode(null) === "UNAUTHORIZED";',
  "client.api.events.stream.subscribe(undefined, { onData: (event: string) => event });",
  "client.api.events.stream.query();",
  "client.close(1);",
] as const;

export const MISTAKEN_PROGRAM = `import { createConsoleClient, errorCode } from "host-console-sdk";
const id = "0198a000-0000-7000-8000-000000000000";
const client = createConsoleClient({ url: "http://127.0.0.1", token: null });
${MISTAKES.join("\n")}
`;
