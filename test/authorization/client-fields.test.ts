import { describe, expect, it } from "vitest";
import { appRouter } from "../../src/server/app-router.ts";
import { listProcedures } from "../../src/server/transport/rest/routes.ts";
import { hasAllPermissions } from "../../src/shared/roles.ts";
import { DAY_SECONDS } from "../../src/shared/time.ts";
import { type Account, useApp } from "../harness/app.ts";
import { assign, insertHosts, MISSING, now, renewalIn, requestRenewal, unassign } from "../harness/data.ts";
import { connect, type RawClient } from "../harness/raw-client.ts";
import { assertOk } from "../harness/rest.ts";
import { PASSWORD } from "../harness/root-user.ts";
import { callRest } from "../harness/transports.ts";

const USER = [
  ...["id", "username", "name", "role", "email", "phone", "isActive", "adminId", "createdAt", "mustChangePassword"],
  ...["admin.id", "admin.name", "admin.username"],
];
const PAGE = ["page", "limit", "total", "totalPages"];
/** Only super admins see the provider's status and the configuration. */
const HOST = [
  ...["id", "name", "ucloudId", "cpu", "memory", "disk", "osName", "osType", "region", "zone", "zoneName", "status"],
  ...["providerStatus=null", "chargeType", "createTime", "expireTime", "ipSet[].Type", "ipSet[].IP"],
  ...["users[].id", "users[].name", "users[].username", "users[].assignedAt", "users[].assignedExpireTime"],
  ...["configId=null", "syncedAt", "goneAt"],
];
const RENEWAL = [
  ...["id", "host.id", "host.name", "host.ucloudId", "host.cpu", "host.memory", "host.expireTime"],
  ...["user.id", "user.name", "user.username", "user.email", "user.phone"],
  ...["requestedDuration", "status", "remark", "adminRemark", "createdAt", "processedAt", "processedBy=null"],
  "assignedExpireTime",
];
const RENEWAL_STATUSES = ["pending", "approved", "rejected", "completed", "cancelled"];
const EXPIRIES = ["expired", "expiring7", "expiring30"];
const STATUSES = ["Running", "Stopped", "Starting", "Stopping", "Rebooting", "Unknown"];

/** Every field a client may receive, by call and event type. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  "auth.login": ["token", ...within("user", USER)],
  "auth.me": USER,
  "auth.changePassword": [],
  "auth.refresh": ["token", ...within("user", USER)],
  "auth.logout": [],
  "auth.sessions": within("[]", ["id", "createdAt", "lastSeenAt", "expiresAt", "ip", "userAgent", "isCurrent"]),
  "auth.endSession": [],
  "auth.endOtherSessions": ["ended"],
  "users.assignments": [
    ...within("assignments[]", ["id", "host.id", "host.name", "host.ucloudId", "assignedAt", "assignedExpireTime"]),
    ...within("assignments[]", ["endedAt", "assignedBy=null", "remark=null"]),
    ...within("pagination", PAGE),
  ],
  "hosts.list": [...within("hosts[]", HOST), ...within("pagination", PAGE)],
  "hosts.get": HOST,
  "hosts.summary": [
    ...["total", "expired", "expiringSoon", "expiringMonth", "unassigned=null", "gone=null", "held=null"],
    ...within("byStatus", STATUSES),
    ...within("provider", EXPIRIES),
    ...within("assigned", EXPIRIES),
    ...within("expiriesByMonth[]", ["month", "count"]),
    ...within("regions[]", ["region", "Running", "Stopped", "Other"]),
  ],
  "renewals.create": RENEWAL,
  "renewals.createBatch": within("results[]", ["hostId", "id", "ok", "code", "message"]),
  "renewals.list": [
    ...within("requests[]", RENEWAL),
    ...within("pagination", PAGE),
    ...within("counts", RENEWAL_STATUSES),
  ],
  "renewals.get": RENEWAL,
  "renewals.cancel": [],
  "settings.get": ["show_network_info_to_client"],
  failure: ["code", "message", "requestId", "errors[].field", "errors[].message"],
  "stream.ready": ["resumed"],
  "hosts.changed": [],
  "assignment.changed": ["hostId"],
  "settings.changed": ["show_network_info_to_client"],
  "renewal.created": ["id", "status"],
  "renewal.processed": ["id", "status"],
  "renewal.cancelled": ["id", "status"],
};

const app = useApp();
const procedures = new Map(listProcedures(appRouter).map((procedure) => [procedure.path, procedure]));

describe("fields that a client receives", () => {
  it("there is a field list for every call that a client may make", () => {
    const permitted = [...procedures.values()].filter(({ meta: { policy }, type }) => {
      if (type === "subscription" || policy === undefined || policy === "super_admin") return false;
      return typeof policy === "string" || hasAllPermissions("client", policy);
    });
    expect(permitted.map(({ path }) => path).filter((path) => ALLOWED[path] === undefined)).toEqual([]);
  });

  it("a client receives only listed fields in answers and events, and no secret in any of them", async () => {
    const { received, secrets } = await readAsClient();
    const fields = received.flatMap(({ source, body }) =>
      fieldsOf(body).map((field) => ({ source, field, entry: allowing(field, ALLOWED[source] ?? []) })),
    );
    const unlisted = fields.filter(({ entry }) => entry === undefined);
    expect(new Set(unlisted.map(({ source, field }) => `${source}: ${field.path}`))).toEqual(new Set());

    const text = JSON.stringify(received);
    expect(Object.entries(secrets).filter(([secret]) => text.includes(secret))).toEqual([]);

    const used = new Set(fields.map(({ source, entry }) => `${source}: ${entry}`));
    const listed = Object.entries(ALLOWED).flatMap(([source, entries]) =>
      entries.map((entry) => `${source}: ${entry}`),
    );
    expect(listed.filter((entry) => !used.has(entry))).toEqual([]);
    const sources = new Set(received.map(({ source }) => source));
    expect(Object.keys(ALLOWED).filter((source) => !sources.has(source))).toEqual([]);
  });
});

/** Data a client received, by call, event type or `failure`. */
interface Received {
  readonly source: string;
  readonly body: unknown;
}

const PROVIDER_START = 1_711_111_111;
const PROVIDER_END = 1_922_222_222;

/** Collects everything a client receives for shared, expired, future and ended hosts, and requests in every state. */
async function readAsClient(): Promise<{ received: Received[]; secrets: Readonly<Record<string, string>> }> {
  const received: Received[] = [];
  const { root } = app;
  const client = await app.account("client", { adminId: (await app.account("admin")).id });
  await assertOk(root.put(`/api/users/${client.id}`, { email: "client@example.com", phone: "13800138000" }));
  const other = await app.account("client");
  const config = await app.config({ name: "主配置" });
  const call: Call = async (path, input = {}, token = client.token) => {
    const procedure = procedures.get(path);
    if (procedure === undefined) throw new Error(`there is no procedure ${path}`);
    const { code, body } = await callRest(app.url, { procedure, input, token });
    received.push({ source: code === null ? path : "failure", body });
  };
  await using stream = await connect(app.url, client.token);
  stream.subscribe();
  await stream.until(({ events }) => events.length > 0);
  const hosts = await makeHosts(client, other, config);
  const requests = await makeRequests(client, hosts);
  for (const isShown of [false, true]) {
    await assertOk(root.put("/api/system-config", { show_network_info_to_client: isShown }));
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

  // Changes by others, some of which the client receives as events.
  await assertOk(root.put(`/api/users/${client.id}`, { adminId: (await app.account("admin")).id }));
  await assign(app, hosts.foreign, client.id);
  await assertOk(unassign(app, hosts.foreign, client.id));
  await assertOk(root.post(`/api/hosts/sync?configId=${config}&wait=25`));
  await assertOk(root.delete(`/api/users/${other.id}`));
  await assertOk(root.put(`/api/hosts/configs/${await app.config()}`, { isDefault: true }));
  await assertOk(root.delete(`/api/hosts/configs/${config}`));
  received.push(...(await eventsOf(stream)));
  await callAccount(client, call);
  const secrets = {
    [root.id]: "the operator",
    [other.id]: "another client",
    [other.username]: "another client",
    [config]: "the configuration",
    [String(PROVIDER_START)]: "the provider's start",
    [String(PROVIDER_END)]: "the provider's end",
    "org-secret": "the project",
    ProviderWord: "the provider's status",
  };
  return { received, secrets };
}

async function makeHosts(client: Account, other: Account, config: string) {
  const columns = { config_id: config, project_id: "org-secret", provider_status: "ProviderWord" };
  const dates = { create_time: PROVIDER_START, expire_time: PROVIDER_END };
  const ids = await insertHosts(app, Array(7).fill({ ...columns, ...dates }));
  const [shared = "", plain = "", expired = "", future = "", ended = "", gone = "", foreign = ""] = ids;
  for (const id of [shared, foreign]) await assign(app, id, other.id);
  for (const id of [shared, plain, ended, gone]) await assign(app, id, client.id);
  await assign(app, expired, client.id, { from: -30 * DAY_SECONDS, to: -DAY_SECONDS });
  await assign(app, future, client.id, { from: DAY_SECONDS, to: 30 * DAY_SECONDS });
  await app.database.query("update hosts set gone_at = $2 where id = $1", [gone, now()]);
  return { shared, plain, expired, future, ended, gone, foreign };
}

/** One request in each state and one for an unassigned host. */
async function makeRequests(
  client: Account,
  { shared, expired, ended }: Readonly<Record<"shared" | "expired" | "ended", string>>,
): Promise<string[]> {
  const requests: string[] = [];
  for (const status of ["cancelled", "rejected", "completed"] as const) {
    requests.push(await renewalIn(app, { client, hostId: expired }, status));
  }
  requests.push(await renewalIn(app, { client, hostId: shared }, "approved"));
  requests.push(await requestRenewal(client, ended));
  await assertOk(unassign(app, ended, client.id));
  return requests;
}

type Call = (path: string, input?: Readonly<Record<string, unknown>>, token?: string | null) => Promise<void>;

/** Runs last, because it ends the earlier sessions. */
async function callAccount({ username }: Account, call: Call): Promise<void> {
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

/** Events up to a last change of the settings. */
async function eventsOf(stream: RawClient): Promise<Received[]> {
  const before = stream.events.length;
  await assertOk(app.root.put("/api/system-config", { show_network_info_to_client: false }));
  await stream.until(({ events }) => events.slice(before).some(({ event }) => event.type === "settings.changed"));
  return stream.messages.flatMap(({ result }) => {
    const sent = result?.data;
    if (typeof sent !== "object" || sent === null || !("data" in sent)) return [];
    const { type, data, ...more } = Object(sent.data);
    return [{ source: String(type), body: { ...data, ...more } }];
  });
}

function within(path: string, fields: readonly string[]): string[] {
  return fields.map((field) => `${path}.${field}`);
}

/** A field of an answer by its path, such as `hosts[].users[].id`. */
interface Field {
  readonly path: string;
  readonly isNull: boolean;
}

/** Every field with a value, listed separately as null and not null. */
function fieldsOf(value: unknown, path = ""): Field[] {
  if (Array.isArray(value)) return value.flatMap((item) => fieldsOf(item, `${path}[]`));
  if (typeof value !== "object" || value === null) return [{ path, isNull: value === null }];
  return Object.entries(value).flatMap(([name, inner]) => fieldsOf(inner, path === "" ? name : `${path}.${name}`));
}

/** The entry that allows the field; `path=null` allows only null, `path` allows null too. */
function allowing({ path, isNull }: Field, allowed: readonly string[]): string | undefined {
  const exact = allowed.find((entry) => entry === path || (isNull && entry === `${path}=null`));
  return exact ?? (isNull ? allowed.find((entry) => entry.startsWith(`${path}.`)) : undefined);
}
