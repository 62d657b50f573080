import { createConsoleClient } from "../src/sdk/index.ts";
import type { ConsoleClient } from "../src/sdk/public-types.ts";

const PASSWORD = "Yanshi2026";
const DAY = 86_400;

export const DEMO_ADMIN = { username: "admin", password: PASSWORD };

export interface DemoProvider {
  readonly url: string;
  readonly publicKey: string;
  readonly privateKey: string;
  /** The project that is synced beforehand. */
  readonly firstProject: string;
}

/**
 * Fills an empty server through the SDK: users of every role, two configurations, the hosts of one project with some of them assigned,
 * and renewal requests in every state. The other projects are synced by the first click on 同步主机.
 */
export async function fillDemo(url: string, provider: DemoProvider) {
  const admin = createConsoleClient({ url });
  await admin.login(DEMO_ADMIN.username, DEMO_ADMIN.password);
  const { users, configs, hosts } = admin.api;

  const manager = await users.create.mutate(person("li_guanli", "李管理", "admin", "13800000001"));
  const client = await users.create.mutate({
    ...person("zhang_kehu", "张客户", "client", "13800000002"),
    adminId: manager.id,
  });
  await users.create.mutate(person("wang_kehu", "王客户", "client", "13900000003"));

  const { url: apiUrl, publicKey, privateKey, firstProject } = provider;
  const account = { publicKey, privateKey, apiUrl, defaultRegion: "cn-bj2" };
  await configs.create.mutate({ ...account, name: "主账号（全部项目）", remark: "演示用的模拟云服务商" });
  const part = await configs.create.mutate({
    ...account,
    name: "数据平台（单个项目）",
    projectIds: [firstProject],
  });
  await hosts.sync.mutate({ configId: part.id, wait: 25 });
  await requestRenewals(admin, url, await assignHosts(admin, client.id));
  await admin.close();

  return [
    { role: "超级管理员", ...DEMO_ADMIN },
    { role: "管理员", username: "li_guanli", password: PASSWORD },
    { role: "C端用户", username: "zhang_kehu", password: PASSWORD },
  ];
}

function person<Role extends "admin" | "client">(username: string, name: string, role: Role, phone: string) {
  return { username, password: PASSWORD, name, role, email: `${username}@example.com`, phone };
}

/** Assigns a few hosts with different ends. @returns their ids */
async function assignHosts({ api }: ConsoleClient, userId: string): Promise<string[]> {
  const days = [3, 30, 90, 180, 365, 365];
  const { hosts } = await api.hosts.list.query({ limit: days.length });
  const now = Math.floor(Date.now() / 1000);
  for (const [index, { id: hostId }] of hosts.entries()) {
    const assignedExpireTime = now + (days[index] ?? 30) * DAY;
    await api.hosts.assign.mutate({ hostId, userId, assignedAt: now, assignedExpireTime });
  }
  return hosts.map(({ id }) => id);
}

/** One request of the client for each state. */
async function requestRenewals(admin: ConsoleClient, url: string, hostIds: readonly string[]): Promise<void> {
  const client = createConsoleClient({ url });
  await client.login("zhang_kehu", PASSWORD);
  const [pending, approved, rejected, completed] = hostIds;
  const request = async (hostId: string | undefined, requestedDuration: 30 | 90 | 180 | 365) => {
    if (hostId === undefined) throw new Error("the first project has too few hosts");
    const input = { hostId, requestedDuration, remark: "业务还在用，请续期" };
    return (await client.api.renewals.create.mutate(input)).id;
  };
  const { process } = admin.api.renewals;
  await request(pending, 30);
  await process.mutate({ id: await request(approved, 90), status: "approved", adminRemark: "请在本周内付款" });
  await process.mutate({
    id: await request(rejected, 180),
    status: "rejected",
    adminRemark: "该主机下月下线，请改用新主机",
  });
  await process.mutate({ id: await request(completed, 365), status: "completed", adminRemark: "已收款" });
  await client.api.auth.logout.mutate();
  await client.close();
}
