import { type Account, PASSWORD, type TestApp } from "../harness/app.ts";
import { assign, DAY, insertHost, now, requestRenewal } from "../harness/data.ts";
import type { RestClient } from "../harness/rest.ts";

/** Rows for every operation to work on. */
export interface Rows {
  readonly app: TestApp;
  readonly admin: Account;
  readonly client: Account;
  readonly hostId: string;
  readonly otherHostId: string;
  readonly configId: string;
  readonly renewalId: string;
}

type Input = Readonly<Record<string, unknown>>;

/** A call that succeeds as it is. */
export interface ValidCall {
  readonly as: RestClient;
  readonly input: Input;
}

export async function insertRows(app: TestApp): Promise<Rows> {
  const admin = await app.account("admin");
  const client = await app.account("client", { adminId: admin.id });
  const [hostId, otherHostId] = [await insertHost(app), await insertHost(app)];
  for (const id of [hostId, otherHostId]) await assign(app, id, client.id);
  await app.config();
  const configId = await app.config();
  return { app, admin, client, hostId, otherHostId, configId, renewalId: await requestRenewal(client, hostId) };
}

/** A valid call of this operation on these rows. Throws for an operation without one. */
export async function validCall(rows: Rows, name: string): Promise<ValidCall> {
  const makeInput = VALID_INPUTS[name];
  if (makeInput === undefined) throw new Error(`a valid input of ${name} is missing in test/fuzz/valid-calls.ts`);
  const as = name === "auth.login" ? rows.app.anonymous : OF_CLIENTS.has(name) ? rows.client : rows.app.root;
  return { as, input: await makeInput(rows) };
}

const OF_CLIENTS = new Set([
  "auth.changePassword",
  "auth.refresh",
  "auth.logout",
  "renewals.create",
  "renewals.createBatch",
  "renewals.cancel",
]);

const nothing = () => ({});
const page = { page: 1, limit: 20 };
const host = ({ hostId }: Rows) => ({ id: hostId });
const config = ({ configId }: Rows) => ({ id: configId });
const renewal = ({ renewalId }: Rows) => ({ id: renewalId });
const user = ({ client }: Rows) => ({ id: client.id });
const person = { name: "王五", email: "wang@example.com", phone: "13900000000" };
const period = () => ({ assignedAt: now(), assignedExpireTime: now() + 30 * DAY });

const VALID_INPUTS: Readonly<Record<string, (rows: Rows) => Input | Promise<Input>>> = {
  "auth.login": ({ client }) => ({ username: client.username, password: PASSWORD }),
  "auth.me": nothing,
  "auth.changePassword": () => ({ currentPassword: PASSWORD, newPassword: "Other2Password" }),
  "auth.refresh": nothing,
  "auth.logout": nothing,
  "auth.sessions": nothing,
  "auth.endSession": async ({ app }) => {
    const other = await app.signIn("root");
    const { data } = await other.get("/api/auth/sessions");
    return { id: data.find(({ isCurrent }: { readonly isCurrent: boolean }) => isCurrent).id };
  },
  "auth.endOtherSessions": nothing,
  "users.list": () => ({ ...page, role: "client", search: "client" }),
  "users.get": user,
  "users.assignments": (rows) => ({ ...page, ...user(rows) }),
  "users.create": ({ admin }) => ({
    ...person,
    username: "wang_wu",
    password: PASSWORD,
    role: "client",
    adminId: admin.id,
  }),
  "users.update": ({ client, admin }) => ({ id: client.id, ...person, isActive: true, adminId: admin.id }),
  "users.delete": user,
  "users.resetPassword": user,
  "hosts.list": ({ configId }) => ({
    ...page,
    search: "网站",
    status: "Running",
    region: "cn-bj2",
    gone: false,
    configId,
    assigned: true,
    expiring: 7,
    expired: false,
    sort: "expireTime",
    order: "desc",
  }),
  "hosts.summary": nothing,
  "hosts.get": host,
  "hosts.assign": ({ hostId, client }) => ({ hostId, userId: client.id, ...period(), remark: "合同" }),
  "hosts.unassign": ({ hostId, client }) => ({ hostId, userId: client.id }),
  "hosts.batch": ({ hostId, otherHostId, client }) => ({
    operation: "assign",
    hostIds: [hostId, otherHostId],
    userId: client.id,
    ...period(),
    remark: "合同",
  }),
  "hosts.sync": ({ configId }) => ({ configId, wait: 25 }),
  "hosts.syncOne": host,
  "hosts.syncRuns": ({ configId }) => ({ ...page, configId, status: "succeeded" }),
  "hosts.syncRun": finishedRun,
  "hosts.cancelSync": finishedRun,
  "hosts.heldRemovals": ({ configId }) => ({ ...page, configId, search: "网站", reason: "empty" }),
  "hosts.confirmRemovals": ({ hostId, otherHostId }) => ({ hostIds: [hostId, otherHostId] }),
  "hosts.dismissRemovals": ({ configId }) => ({ configId, all: true }),
  "configs.list": nothing,
  "configs.create": ({ app }) => ({ ...keys(app), isDefault: false }),
  "configs.update": ({ app, configId }) => ({ id: configId, ...keys(app), isDefault: true }),
  "configs.delete": config,
  "configs.test": config,
  "renewals.create": ({ otherHostId }) => ({ hostId: otherHostId, requestedDuration: 30, remark: "续费" }),
  "renewals.createBatch": ({ otherHostId }) => ({
    hostIds: [otherHostId],
    untilDate: now() + 90 * DAY,
    remark: "续费",
  }),
  "renewals.processBatch": ({ renewalId }) => ({ ids: [renewalId], status: "approved", adminRemark: "已核对" }),
  "renewals.list": () => ({ ...page, search: "client", status: "pending" }),
  "renewals.get": renewal,
  "renewals.process": ({ renewalId }) => ({ id: renewalId, status: "approved", adminRemark: "已核对" }),
  "renewals.cancel": renewal,
  "settings.get": nothing,
  "settings.update": () => ({ show_network_info_to_client: true }),
};

function keys({ simulator }: TestApp) {
  const { publicKey, privateKey, url } = simulator;
  const connection = { apiUrl: url, defaultRegion: "cn-bj2", projectIds: ["org-1"] };
  return { name: "配置", publicKey, privateKey, ...connection, isActive: true, remark: "备注" };
}

async function finishedRun({ app, configId }: Rows): Promise<Input> {
  const { data } = await app.root.post(`/api/hosts/sync?configId=${configId}&wait=25`);
  return { id: data.runs[0].id };
}
