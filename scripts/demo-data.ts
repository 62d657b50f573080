import { z } from "zod";

const DEMO_PASSWORD = "Yanshi2026";

export const DEMO_ADMIN = { username: "admin", password: DEMO_PASSWORD };

export interface DemoSignIn {
  readonly role: string;
  readonly username: string;
  readonly password: string;
}

export interface DemoProvider {
  readonly url: string;
  readonly publicKey: string;
  readonly privateKey: string;
  /** The project that is synced beforehand. */
  readonly firstProject: string;
}

const Hosts = z.object({ hosts: z.array(z.object({ id: z.string() })) });
const Answer = z.object({ data: z.record(z.string(), z.unknown()).optional(), message: z.string().optional() });

/**
 * Fills an empty server through its public REST API: users of every role, two configurations, and the few hosts of one project synced
 * and handed out, with requests in every state. The rest of the account waits for whoever presses 同步主机.
 */
export async function fillDemo(url: string, provider: DemoProvider): Promise<DemoSignIn[]> {
  const { token } = await call(url, null, "POST", "/api/auth/login", DEMO_ADMIN);
  const post = (path: string, body?: object) => call(url, String(token), "POST", path, body);

  const admin = await post("/api/users", person("li_guanli", "李管理", "admin", "13800000001"));
  const client = await post("/api/users", {
    ...person("zhang_kehu", "张客户", "client", "13800000002"),
    adminId: admin.id,
  });
  await post("/api/users", person("wang_kehu", "王客户", "client", "13900000003"));

  await post("/api/hosts/configs", {
    name: "主账号（全部项目）",
    publicKey: provider.publicKey,
    privateKey: provider.privateKey,
    apiUrl: provider.url,
    defaultRegion: "cn-bj2",
    remark: "演示用的模拟云服务商",
  });
  const part = await post("/api/hosts/configs", {
    name: "数据平台（单个项目）",
    publicKey: provider.publicKey,
    privateKey: provider.privateKey,
    apiUrl: provider.url,
    defaultRegion: "cn-bj2",
    projectIds: [provider.firstProject],
  });
  await post(`/api/hosts/sync?configId=${part.id}&wait=25`);
  const hostIds = await handOut(url, String(token), String(client.id));
  await askForMore(url, String(token), hostIds);

  return [
    { role: "超级管理员", ...DEMO_ADMIN },
    { role: "管理员", username: "li_guanli", password: DEMO_PASSWORD },
    { role: "C端用户", username: "zhang_kehu", password: DEMO_PASSWORD },
  ];
}

function person(username: string, name: string, role: string, phone: string) {
  return { username, password: DEMO_PASSWORD, name, role, email: `${username}@example.com`, phone };
}

/** @returns the ids of the hosts that the client has now */
async function handOut(url: string, token: string, userId: string): Promise<string[]> {
  const { hosts } = Hosts.parse(await call(url, token, "GET", "/api/hosts?limit=6"));
  const now = Math.floor(Date.now() / 1000);
  const days = [3, 30, 90, 180, 365, 365];
  for (const [index, host] of hosts.entries()) {
    await call(url, token, "POST", "/api/hosts/assign", {
      hostId: host.id,
      userId,
      assignedAt: now,
      assignedExpireTime: now + (days[index] ?? 30) * 86_400,
    });
  }
  return hosts.map(({ id }) => id);
}

const DECISIONS = [
  {},
  { status: "approved", adminRemark: "请在本周内付款" },
  { status: "rejected", adminRemark: "该主机下月下线，请改用新主机" },
  { status: "completed", adminRemark: "已收款" },
];

/** The client's requests, one for each state in which one can be. */
async function askForMore(url: string, token: string, hostIds: readonly string[]): Promise<void> {
  const client = await call(url, null, "POST", "/api/auth/login", { username: "zhang_kehu", password: DEMO_PASSWORD });
  for (const [index, decision] of DECISIONS.entries()) {
    const hostId = hostIds[index];
    if (hostId === undefined) return;
    const request = { hostId, requestedDuration: [30, 90, 180, 365][index], remark: "业务还在用，请续期" };
    const { id } = await call(url, String(client.token), "POST", "/api/renewals", request);
    if (decision.status !== undefined) await call(url, token, "PUT", `/api/renewals/${id}/process`, decision);
  }
  await call(url, String(client.token), "POST", "/api/auth/logout");
}

async function call(
  url: string,
  token: string | null,
  method: string,
  path: string,
  body?: object,
): Promise<Record<string, unknown>> {
  const headers = {
    "content-type": "application/json",
    ...(token === null ? {} : { authorization: `Bearer ${token}` }),
  };
  const response = await fetch(url + path, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer = Answer.parse(await response.json());
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${answer.message}`);
  return answer.data ?? {};
}
