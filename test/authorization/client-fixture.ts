import { appRouter } from "../../src/server/app-router.ts";
import { listProcedures } from "../../src/server/transport/rest/routes.ts";
import { type Account, PASSWORD, type TestApp } from "../harness/app.ts";
import { assign, DAY, insertHost, MISSING, now, renewalIn, requestRenewal } from "../harness/data.ts";
import { assertOk } from "../harness/rest.ts";
import { connect, type RawClient } from "../sockets/raw-client.ts";
import { callRest } from "./transports.ts";

/** Data a client received, by call, event type or `failure`. */
export interface Given {
  readonly by: string;
  readonly body: unknown;
}

/** Texts that a client must not receive, with their meaning. */
export type Secrets = Readonly<Record<string, string>>;

const PROVIDER_START = 1_711_111_111;
const PROVIDER_END = 1_922_222_222;
const procedures = new Map(listProcedures(appRouter).map((procedure) => [procedure.path, procedure]));

/** Collects everything a client receives for shared, expired, future and ended hosts, and requests in every state. */
export async function readAsClient(app: TestApp): Promise<{ given: Given[]; secrets: Secrets }> {
  const given: Given[] = [];
  const { client, other, config } = await makePeople(app);
  const call = async (path: string, input: Readonly<Record<string, unknown>> = {}, token = client.token) => {
    const procedure = procedures.get(path);
    if (procedure === undefined) throw new Error(`there is no procedure ${path}`);
    const { code, body } = await callRest(app.url, { procedure, input, token });
    given.push({ by: code === null ? path : "failure", body });
  };
  await using stream = await connect(`${app.url.replace("http", "ws")}/trpc`, client.token);
  stream.subscribe();
  await stream.until(({ events }) => events.length > 0);
  const hosts = await makeHosts(app, { client, other, config });
  const requests = await makeRequests(app, client, hosts);
  for (const isShown of [false, true]) {
    await assertOk(app.root.put("/api/system-config", { show_network_info_to_client: isShown }));
    await call("settings.get");
    await call("hosts.summary");
    await call("hosts.list", { limit: 100, sort: "expireTime" });
    await call("users.assignments", { id: client.id, limit: 100 });
    for (const id of [...Object.values(hosts), MISSING]) await call("hosts.get", { id });
    await call("renewals.list", { limit: 100 });
    for (const id of [...requests, MISSING]) await call("renewals.get", { id });
  }
  await call("renewals.create", { hostId: hosts.plain, requestedDuration: 30, remark: "请续费" });
  await call("renewals.create", { hostId: hosts.plain, requestedDuration: 30 });
  await call("renewals.cancel", { id: await requestRenewal(client, hosts.shared) });
  await call("renewals.createBatch", { hostIds: [hosts.plain, hosts.shared], requestedDuration: 30 });
  await makeOtherChanges(app, { client, other, config, hosts });
  given.push(...(await eventsOf(app, stream)));
  await callAccount(app, client, call);
  const secrets = {
    [app.root.id]: "the operator",
    [other.id]: "another client",
    [other.username]: "another client",
    [config]: "the configuration",
    [String(PROVIDER_START)]: "the provider's start",
    [String(PROVIDER_END)]: "the provider's end",
    "org-secret": "the project",
    ProviderWord: "the provider's status",
  };
  return { given, secrets };
}

async function makePeople(app: TestApp) {
  const admin = await app.account("admin");
  const client = await app.account("client", { adminId: admin.id });
  await assertOk(app.root.put(`/api/users/${client.id}`, { email: "client@example.com", phone: "13800138000" }));
  return { client, other: await app.account("client"), config: await app.config({ name: "主配置" }) };
}

interface Fixture {
  readonly client: Account;
  readonly other: Account;
  readonly config: string;
}

async function makeHosts(app: TestApp, { client, other, config }: Fixture) {
  const columns = { config_id: config, project_id: "org-secret", provider_status: "ProviderWord" };
  const dates = { create_time: PROVIDER_START, expire_time: PROVIDER_END };
  const host = () => insertHost(app, { ...columns, ...dates });
  const hosts = {
    shared: await host(),
    plain: await host(),
    expired: await host(),
    future: await host(),
    ended: await host(),
    gone: await host(),
    foreign: await host(),
  };
  await assign(app, hosts.shared, other.id);
  await assign(app, hosts.foreign, other.id);
  for (const id of [hosts.shared, hosts.plain, hosts.ended, hosts.gone]) await assign(app, id, client.id);
  await assign(app, hosts.expired, client.id, { from: -30 * DAY, to: -DAY });
  await assign(app, hosts.future, client.id, { from: DAY, to: 30 * DAY });
  await app.database.query("update hosts set gone_at = $2 where id = $1", [hosts.gone, now()]);
  return hosts;
}

type Hosts = Awaited<ReturnType<typeof makeHosts>>;

/** One request in each state and one for an unassigned host. */
async function makeRequests(app: TestApp, client: Account, { shared, expired, ended }: Hosts): Promise<string[]> {
  const requests: string[] = [];
  for (const status of ["cancelled", "rejected", "completed"] as const) {
    requests.push(await renewalIn(app, { client, hostId: expired }, status));
  }
  requests.push(await renewalIn(app, { client, hostId: shared }, "approved"));
  requests.push(await requestRenewal(client, ended));
  await assertOk(app.root.post("/api/hosts/unassign", { hostId: ended, userId: client.id }));
  return requests;
}

type Call = (path: string, input?: Readonly<Record<string, unknown>>, token?: string | null) => Promise<void>;

/** Runs last, because it ends the earlier sessions. */
async function callAccount(app: TestApp, { username }: Account, call: Call): Promise<void> {
  const session = async () => (await app.signIn(username)).token;
  await call("auth.login", { username, password: PASSWORD }, null);
  await call("auth.login", { username, password: "Wrong1Password" }, null);
  await call("auth.me");
  await call("auth.me", {}, "dead");
  await call("auth.sessions");
  await call("auth.refresh", {}, await session());
  await call("auth.logout", {}, await session());
  const own = await app.signIn(username);
  const [spare] = (await own.get("/api/auth/sessions")).data.filter(
    ({ isCurrent }: { isCurrent: boolean }) => !isCurrent,
  );
  await call("auth.endSession", { id: spare.id }, own.token);
  await call("auth.changePassword", { currentPassword: PASSWORD, newPassword: "short" }, own.token);
  await call("auth.endOtherSessions", {}, own.token);
  await call("auth.changePassword", { currentPassword: PASSWORD, newPassword: `${PASSWORD}2` }, own.token);
}

/** Changes by others, some of which the client receives as events. */
async function makeOtherChanges(
  app: TestApp,
  { client, other, config, hosts }: Fixture & { hosts: Hosts },
): Promise<void> {
  const { root } = app;
  await assertOk(root.put(`/api/users/${client.id}`, { adminId: (await app.account("admin")).id }));
  await assign(app, hosts.foreign, client.id);
  await assertOk(root.post("/api/hosts/unassign", { hostId: hosts.foreign, userId: client.id }));
  await assertOk(root.post(`/api/hosts/sync?configId=${config}&wait=25`));
  await assertOk(root.delete(`/api/users/${other.id}`));
  await assertOk(root.put(`/api/hosts/configs/${await app.config()}`, { isDefault: true }));
  await assertOk(root.delete(`/api/hosts/configs/${config}`));
}

/** Events up to a last change of the settings. */
async function eventsOf({ root }: TestApp, stream: RawClient): Promise<Given[]> {
  const before = stream.events.length;
  await assertOk(root.put("/api/system-config", { show_network_info_to_client: false }));
  await stream.until(({ events }) => events.slice(before).some(({ event }) => event.type === "settings.changed"));
  return stream.messages.flatMap(({ result }) => {
    const sent = result?.data;
    if (typeof sent !== "object" || sent === null || !("data" in sent)) return [];
    const { type, data, ...more } = Object(sent.data);
    return [{ by: String(type), body: { ...data, ...more } }];
  });
}
