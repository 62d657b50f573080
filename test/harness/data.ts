import { v7 } from "uuid";
import type { RenewalStatus } from "../../src/shared/renewal-status.ts";
import { DAY_SECONDS } from "../../src/shared/time.ts";
import type { Account, TestApp } from "./app.ts";
import { insertRows, type Queryable } from "./database.ts";
import { assertOk, type RestAnswer, type RestClient } from "./rest.ts";
import { PASSWORD } from "./root-user.ts";

export const MISSING = "0198a000-0000-7000-8000-000000000000";

/** A valid body of users.create. */
export function buildUser(more: object = {}) {
  return { username: "zhang", password: PASSWORD, name: "张三", role: "client", ...more };
}

/** A valid body of configs.create. */
export function buildConfig(more: object = {}) {
  return {
    name: "主账号",
    publicKey: "key",
    privateKey: "key",
    apiUrl: "https://api.ucloud.cn",
    defaultRegion: "cn-bj2",
    ...more,
  };
}

/** A valid body of noticeChannels.create that sends nothing by itself. */
export function buildChannel(more: object = {}) {
  return {
    name: "运维群",
    type: "wecom",
    config: { url: "https://8.8.8.8/robot" },
    types: [],
    ...more,
  };
}

export function now(): number {
  return Math.floor(Date.now() / 1000);
}

/** A row of hosts like one written by a sync, in the region of the first project. */
export function buildHost(columns: HostColumns = {}) {
  const id = v7();
  return {
    id,
    ucloud_id: `uhost-${id.slice(-12)}`,
    config_id: null,
    project_id: "org-1",
    region: "cn-bj2",
    zone: "cn-bj2-05",
    name: "网站-1",
    cpu: 4,
    memory: 8192,
    disk: 120,
    os_name: "CentOS 7.9 64位",
    os_type: "Linux",
    status: "Running",
    provider_status: "Running",
    charge_type: "Month",
    create_time: 1_700_000_000,
    expire_time: 1_900_000_000,
    ip_set: [
      { Type: "Private", IP: "10.9.0.7" },
      { Type: "Bgp", IP: "106.75.3.9" },
    ],
    changed_at: 1_780_000_000,
    gone_at: null,
    ...columns,
  };
}

type HostColumn =
  | "id"
  | "ucloud_id"
  | "config_id"
  | "project_id"
  | "region"
  | "zone"
  | "name"
  | "cpu"
  | "memory"
  | "disk"
  | "os_name"
  | "os_type"
  | "status"
  | "provider_status"
  | "charge_type"
  | "create_time"
  | "expire_time"
  | "ip_set"
  | "auto_renew"
  | "changed_at"
  | "gone_at";
export type HostColumns = Partial<Record<HostColumn, unknown>>;

type WithDatabase = { readonly database: Queryable };
type WithRoot = { readonly root: RestClient };

/** Inserts a host like one written by a sync and returns its id. */
export async function insertHost(app: WithDatabase, columns: HostColumns = {}): Promise<string> {
  const [id = ""] = await insertHosts(app, [columns]);
  return id;
}

/** Inserts hosts like those written by a sync and returns their ids. */
export async function insertHosts(
  { database }: WithDatabase,
  hosts: readonly HostColumns[],
): Promise<string[]> {
  const rows = hosts.map((columns) => buildHost(columns));
  await insertRows(database, "hosts", rows);
  return rows.map(({ id }) => String(id));
}

type RunColumn =
  | "id"
  | "queued_at"
  | "started_at"
  | "finished_at"
  | "requested_by"
  | "requested_by_name"
  | "config_name";
type RunState = "trigger" | "status" | "errors";
export type RunColumns = Partial<Record<RunColumn | RunState, unknown>>;

/** A row of sync_runs, by default a running one of no replica. */
export function buildRun(configId: string, columns: RunColumns = {}) {
  return {
    id: v7(),
    config_id: configId,
    config_name: "测试配置",
    trigger: "manual",
    status: "running",
    started_at: now(),
    errors: [],
    ...columns,
  };
}

/**
 * Inserts a run of the configuration, by default a running one of no replica, and returns its id.
 */
export async function insertRun(
  { database }: WithDatabase,
  configId: string,
  columns: RunColumns = {},
): Promise<string> {
  const run = buildRun(configId, columns);
  await insertRows(database, "sync_runs", [run]);
  return String(run.id);
}

type NoticeColumn = "id" | "type" | "subjects" | "created_at" | "read_at";
export type NoticeColumns = Partial<Record<NoticeColumn, unknown>>;

/** Inserts a notice for the user like one of a reminder, and returns its id. */
export async function insertNotice(
  app: WithDatabase,
  user: { readonly id: string },
  columns: NoticeColumns = {},
): Promise<string> {
  const [id = ""] = await insertNotices(app, user, [columns]);
  return id;
}

/** Inserts notices in this order and returns their ids. */
export async function insertNotices(
  { database }: WithDatabase,
  { id: userId }: { readonly id: string },
  notices: readonly NoticeColumns[],
): Promise<string[]> {
  const rows = notices.map(({ created_at: at = now(), ...columns }) => ({
    id: v7({ msecs: Number(at) * 1_000 }),
    user_id: userId,
    batch_id: v7(),
    type: "assignment.expiring",
    severity: "warning",
    title: "2 台主机即将到期",
    message: "请及时续费。",
    link: "/hosts",
    subjects: [],
    created_at: at,
    ...columns,
  }));
  await insertRows(database, "notices", rows);
  return rows.map(({ id }) => String(id));
}

interface Period {
  /** Seconds from now. */
  readonly from?: number;
  readonly to?: number;
}

/** No whole number of days, or a form that rounds would go unnoticed: 5 h 12 min 11 s. */
export const PART_OF_DAY = 18_731;

/** A valid body of hosts.assign: from a day ago, for thirty days and a part of one. */
export function buildAssignment(hostId: string, userId: string, period: Period = {}) {
  const { from = -DAY_SECONDS, to = 29 * DAY_SECONDS + PART_OF_DAY } = period;
  return { hostId, userId, assignedAt: now() + from, assignedExpireTime: now() + to };
}

/** Assigns the host and returns the times. */
export async function assign(
  { root }: WithRoot,
  hostId: string,
  userId: string,
  period: Period = {},
) {
  const assignment = buildAssignment(hostId, userId, period);
  await assertOk(root.post("/api/hosts/assign", assignment));

  const { assignedAt, assignedExpireTime } = assignment;
  return { assignedAt, assignedExpireTime };
}

/** A client with a host, assigned until `expiry`. */
export type Holding = Awaited<ReturnType<typeof clientWithHost>>;

export async function clientWithHost(app: TestApp, columns: HostColumns = {}) {
  const client = await app.account("client");
  const hostId = await insertHost(app, columns);
  const { assignedExpireTime } = await assign(app, hostId, client.id);

  return { client, hostId, expiry: assignedExpireTime };
}

export type Team = Readonly<Record<"admin" | "client" | "otherAdmin" | "otherClient", Account>>;

/** Two admins with one client each. */
export async function twoAdmins(app: TestApp): Promise<Team> {
  const admin = await app.account("admin");
  const otherAdmin = await app.account("admin");
  const client = await app.account("client", { adminId: admin.id });
  const otherClient = await app.account("client", { adminId: otherAdmin.id });
  return { admin, client, otherAdmin, otherClient };
}

export function unassign({ root }: WithRoot, hostId: string, userId: string): Promise<RestAnswer> {
  return root.post("/api/hosts/unassign", { hostId, userId });
}

/** Ids of the listed hosts or renewal requests, in order. */
export function idsOf({ data }: RestAnswer): string[] {
  return (data.hosts ?? data.requests).map(({ id }: { readonly id: string }) => id);
}

/** The answers with the pages of a list. */
export async function readPages(
  account: RestClient,
  path: string,
  limit: number,
): Promise<RestAnswer[]> {
  const pages: RestAnswer[] = [];
  for (let page = 1; ; page++) {
    const answer = await assertOk(account.get(`${path}&limit=${limit}&page=${page}`));
    pages.push(answer);
    if (page >= answer.data.pagination.totalPages) return pages;
  }
}

/** Status and error code of an answer. */
export function failureOf({ status, data }: RestAnswer): [number, string] {
  return [status, data.code];
}

/** Creates a renewal request and returns its id. */
export async function requestRenewal(
  client: RestClient,
  hostId: string,
  requestedDuration = 30,
): Promise<string> {
  const { data } = await assertOk(client.post("/api/renewals", { hostId, requestedDuration }));
  return String(data.id);
}

/** Decides a request as the first super admin. */
export function decide({ root }: WithRoot, id: string, status: string): Promise<RestAnswer> {
  return root.put(`/api/renewals/${id}/process`, { status, adminRemark: "已核对" });
}

type Holder = { readonly client: RestClient; readonly hostId: string };

/** Creates a request and brings it to the status through the API. */
export async function renewalIn(
  app: WithRoot,
  { client, hostId }: Holder,
  status: RenewalStatus,
): Promise<string> {
  const id = await requestRenewal(client, hostId);
  if (status === "cancelled") await client.delete(`/api/renewals/${id}`);
  else if (status !== "pending") await decide(app, id, status);
  const { data } = await app.root.get(`/api/renewals/${id}`);
  if (data.status !== status) throw new Error(`the request is ${data.status} and not ${status}`);
  return id;
}

/** Expiry of the client's assignment, in Unix seconds. */
export async function expiryOf(
  { root }: WithRoot,
  hostId: string,
  client: Account,
): Promise<number> {
  const { data } = await root.get(`/api/hosts/${hostId}`);
  return data.users.find(({ id }: { readonly id: string }) => id === client.id).assignedExpireTime;
}
