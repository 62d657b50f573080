import pLimit from "p-limit";
import { createConsoleClient } from "../src/sdk/index.ts";
import type { ConsoleClient } from "../src/sdk/public-types.ts";
import { SUB_KEYS } from "../src/simulator/options.ts";
import { createRandom, type Weighted } from "../src/simulator/random.ts";
import { annotateDemo } from "./demo/annotations.ts";
import {
  type Control,
  failRenewals,
  settleHosts,
  startAndStop,
  syncChanges,
  syncReboot,
} from "./demo-changes.ts";
import people from "./demo-people.json" with { type: "json" };

/** The first admin and the first client are those of SIGN_INS. */
const { admins: ADMINS, clients: CLIENTS, remarks: REMARKS } = people;
const PASSWORD = "Yanshi2026";
const DAY = 86_400;
const HANDED_OUT = 400;
/** The first client's hosts, by days until their end: one ended yesterday, which is reminded of. The second client has many hosts, the others have a few. */
const FIRST_ENDS = [-1, 3, 6, 18, 45, 90, 180, 270, 300];
const MANY = 84;
const ENDS: Weighted<readonly [from: number, to: number]> = [
  [8, [-30, -1]],
  [14, [1, 7]],
  [22, [8, 30]],
  [56, [31, 300]],
];
/** Renewal requests, oldest first: age in days, what became of them, how many. */
const REQUESTS = [
  [45, "completed", 7],
  [30, "rejected", 3],
  [24, "cancelled", 3],
  [15, "completed", 7],
  [9, "pending", 2],
  [6, "approved", 4],
  [4, "pending", 3],
  [2, "rejected", 2],
  [1, "pending", 4],
  [0.2, "pending", 3],
] as const;
/** When the syncs of a configuration were refused: every six hours. One more pauses its schedule. */
const REFUSED_DAYS = [3, 2.75, 2.5, 2.25] as const;
/** How long one of the first client's hosts has been rebooting: 11 minutes. */
const REBOOTING_DAYS = 11 / (24 * 60);
/** Of the other accounts, in their order: what each has left, in yuan. Null: its key may not read it. */
const OTHER_ACCOUNTS = [
  { name: "华东分公司", balanceAlert: 1_000, balance: { available: 386.4, amount: 1_386.4 } },
  { name: "测试账号", balanceAlert: 200, balance: { available: -128.5, amount: -128.5 } },
  { name: "外包团队（只读密钥）", balanceAlert: null, balance: null },
] as const;
/** Which of them owes. */
const OWING = 1;
/** The requests that come after that. */
const REFUSED_BEFORE = 1;
/** What the admin writes with each decision. */
export const ANSWERS = {
  completed: "已收款",
  approved: "请在本周内付款",
  rejected: "该主机下月下线，请改用新主机",
};

export const DEMO_ADMIN = { username: "admin", password: PASSWORD };
export const SIGN_INS = [
  { role: "超级管理员", ...DEMO_ADMIN },
  { role: "管理员", username: "li_guanli", password: PASSWORD },
  { role: "C端用户", username: "zhang_kehu", password: PASSWORD },
];

type KeyPair = Readonly<Record<"publicKey" | "privateKey", string>>;

export interface DemoProvider {
  readonly account: Readonly<Record<"apiUrl" | "publicKey" | "privateKey", string>>;
  readonly projectIds: readonly string[];
  /** Of other accounts at the same address. */
  readonly otherKeys: readonly KeyPair[];
  readonly control: Control;
  /** Closes the region of one host. */
  readonly closeRegion: () => Promise<unknown>;
}

interface DemoServer {
  readonly url: string;
  /**
   * Sets the server's clock back by a number of days: the console itself dates requests, decisions
   * and syncs, so past ones have to be made in the past.
   */
  readonly setAge: (days: number) => void;
  /** Leaves the runs of a configuration as its schedule would have: nobody waits for days. */
  readonly markScheduled: (configId: string) => Promise<unknown>;
}

type Api = ConsoleClient["api"];
type Random = ReturnType<typeof createRandom>;

/** Fills an empty server through the SDK. */
export async function fillDemo(server: DemoServer, provider: DemoProvider): Promise<void> {
  const { url, setAge } = server;
  const random = createRandom(1);
  setAge(60);
  const { api: admin } = await signIn(url, DEMO_ADMIN.username);
  // Until the day has all its ends.
  await admin.reminders.updateSettings.mutate({
    ...(await admin.reminders.settings.query()),
    isActive: false,
  });
  const account = { ...provider.account, defaultRegion: "cn-bj2" };
  const main = {
    name: "主账号",
    remark: "演示用的模拟云服务商",
    projectIds: provider.projectIds.slice(0, -1),
    balanceAlert: 5_000,
  };
  const { id: configId } = await admin.configs.create.mutate({ ...account, ...main });
  const single = {
    name: "数据平台（单个项目）",
    projectIds: provider.projectIds.slice(-1),
    // As one from before there were schedules.
    syncIntervalMinutes: null,
  };
  await admin.configs.create.mutate({ ...account, ...single });
  const otherIds = await addOtherAccounts(admin, provider);
  const [userIds] = await Promise.all([createUsers(admin), admin.hosts.sync.mutate({ wait: 25 })]);
  await settleHosts(admin, provider.control);
  const holdings = await assignHosts(admin, userIds, random);
  const own = holdings.splice(0, FIRST_ENDS.length);
  const others = random.shuffle(holdings.filter(({ days }) => days > -5 && days < 40));

  for (const [days, status, count] of REQUESTS) {
    // The list of runs keeps the order in which they are made.
    if (days === REFUSED_BEFORE) await addRefusedConfig(admin, server, account);
    setAge(days);
    await syncChanges(admin, provider.control, { configId, userId: userIds[0], days });
    // The first client's hosts that end last were requested first.
    const requests = [...own.splice(-1), ...others.splice(0, count)].map(
      async ({ username, hostId }) => {
        const requestedDuration = random.pick([30, 90, 180, 365]);
        const remark = REMARKS[random.int(0, REMARKS.length - 1)];
        const { renewals } = (await signIn(url, username)).api;
        return {
          renewals,
          id: (await renewals.create.mutate({ hostId, requestedDuration, remark })).id,
        };
      },
    );
    const created = await Promise.all(requests);
    if (status === "pending") continue;
    setAge(days * 0.85);
    for (const { renewals, id } of created) {
      if (status === "cancelled") await renewals.cancel.mutate({ id });
      else await admin.renewals.process.mutate({ id, status, adminRemark: ANSWERS[status] });
    }
  }
  setAge(REBOOTING_DAYS);
  await syncReboot(admin, provider.control, { configId, userId: userIds[0] });
  setAge(0);
  await provider.closeRegion();
  await startAndStop(admin, provider.control, { configId });
  await failRenewals(admin, provider.control, { configId: otherIds[OWING] });
  await annotateDemo(admin, userIds);
  for (const id of [configId, ...otherIds]) {
    await admin.hosts.sync.mutate({ configId: id, wait: 25 });
  }
  await admin.auth.logout.mutate();
}

/** @returns the ids of their configurations */
async function addOtherAccounts(
  { configs }: Api,
  { account: { apiUrl }, otherKeys, control }: DemoProvider,
): Promise<string[]> {
  const ids: string[] = [];
  for (const [index, { name, balanceAlert, balance }] of OTHER_ACCOUNTS.entries()) {
    const keys = otherKeys[index];
    if (keys === undefined) throw new Error(`no keys for ${name}`);

    const { publicKey } = keys;
    if (balance === null) {
      const fault = { kind: "retCode", retCode: 299 } as const;
      await control("addFaults", { action: "GetBalance", publicKey, fault });
    } else {
      await control("setBalance", { ...balance, publicKey });
    }

    const config = { ...keys, name, balanceAlert, apiUrl, defaultRegion: "cn-bj2" };
    ids.push((await configs.create.mutate(config)).id);
  }
  return ids;
}

/** A configuration whose key is not valid any more, so that its schedule is soon paused. */
async function addRefusedConfig(
  { configs, hosts }: Api,
  { setAge, markScheduled }: DemoServer,
  account: { readonly apiUrl: string; readonly defaultRegion: string },
): Promise<void> {
  setAge(REFUSED_DAYS[0]);
  const { id: configId } = await configs.create.mutate({
    ...account,
    name: "海外业务",
    remark: "密钥已在云服务商处轮换，等待更新",
    publicKey: SUB_KEYS.publicKey,
    privateKey: "the-key-before",
    syncIntervalMinutes: 360,
  });

  for (const days of REFUSED_DAYS) {
    setAge(days);
    await hosts.sync.mutate({ configId, wait: 25 });
  }
  await markScheduled(configId);
  // The schedule tries another key at once. It is refused as well.
  await configs.update.mutate({ id: configId, privateKey: "another-key-before" });
}

/** Needs no sign-out: these sessions date from the past, so they have ended today. */
async function signIn(url: string, username: string): Promise<ConsoleClient> {
  const client = createConsoleClient({ url });
  await client.login(username, PASSWORD);
  return client;
}

/** Every ninth client has no responsible admin. @returns the ids of the clients */
async function createUsers({ users }: Api): Promise<string[]> {
  const limit = pLimit(2);
  const password = PASSWORD;
  const admins = await limit.map(ADMINS, (person) =>
    users.create.mutate({ ...person, password, role: "admin" }),
  );
  const clients = await limit.map(CLIENTS, (person, index) => {
    const adminId = index % 9 === 8 ? null : (admins[index % admins.length]?.id ?? null);
    return users.create.mutate({ ...person, password, role: "client", adminId });
  });
  return clients.map(({ id }) => id);
}

/** Hands out hosts in lots with one end. Every eighth client shares a host with the one before. */
async function assignHosts({ hosts }: Api, userIds: readonly string[], random: Random) {
  const pages = await Promise.all(
    Array.from({ length: 13 }, (_, page) => hosts.list.query({ page: page + 1, limit: 100 })),
  );
  const ids = pages.flatMap((page) => page.hosts.map(({ id }) => id));
  const free = random.shuffle(ids).slice(0, HANDED_OUT);
  const now = Math.floor(Date.now() / 1000);
  const lots: { username: string; userId: string; hostIds: string[]; days: number }[] = [];
  for (const [index, userId] of userIds.entries()) {
    const size = index === 0 ? FIRST_ENDS.length : index === 1 ? MANY : random.int(3, 13);
    const shared = index % 8 === 7 ? (lots.at(-1)?.hostIds.slice(0, 1) ?? []) : [];
    const hostIds = [...shared, ...free.splice(0, size)];
    for (let lot = 0; hostIds.length > 0; lot++) {
      const days =
        (index === 0 ? FIRST_ENDS[lot] : undefined) ?? random.int(...random.weighted(ENDS));
      const ids = hostIds.splice(0, index === 0 ? 1 : random.int(1, index === 1 ? 12 : 4));
      lots.push({ username: CLIENTS[index]?.username ?? "", userId, hostIds: ids, days });
    }
  }
  for (const { userId, hostIds, days } of lots) {
    const assignedExpireTime = now + days * DAY;
    const assignedAt = Math.min(
      now - 60 * DAY,
      assignedExpireTime - random.pick([90, 180, 365]) * DAY,
    );
    await hosts.batch.mutate({
      operation: "assign",
      userId,
      hostIds,
      assignedAt,
      assignedExpireTime,
    });
  }
  return lots.flatMap(({ hostIds, ...lot }) => hostIds.map((hostId) => ({ ...lot, hostId })));
}
