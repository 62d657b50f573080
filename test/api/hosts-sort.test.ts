import { describe, expect, it } from "vitest";
import { type Host, HostSort, HostStatus } from "../../src/shared/hosts.ts";
import { SortOrder } from "../../src/shared/page.ts";
import { useApp } from "../harness/app.ts";
import { assign, DAY, idsOf, insertHost, insertHosts } from "../harness/data.ts";
import type { RestClient } from "../harness/rest.ts";

const app = useApp();
const LIMIT = 3;

/** Value of each sort key in an answer; null sorts last. */
const VALUES: Readonly<Record<HostSort, (host: Host) => string | number | null>> = {
  name: ({ name }) => name,
  status: ({ status }) => HostStatus.options.indexOf(status),
  zone: ({ region, zone }) => `${region} ${zone}`,
  cpu: ({ cpu }) => cpu,
  memory: ({ memory }) => memory,
  disk: ({ disk }) => disk,
  createTime: ({ createTime }) => createTime,
  expireTime: ({ chargeType, expireTime }) => (chargeType === "Dynamic" ? null : expireTime),
  assignedExpireTime: ({ users }) =>
    users.length === 0 ? null : Math.min(...users.map((user) => user.assignedExpireTime)),
};
const CHOICES = HostSort.options.flatMap((sort) => SortOrder.options.map((order) => ({ sort, order })));

describe("the order of the host list", () => {
  it.each(CHOICES)(
    "sorts by $sort, $order, over all pages: each host once, ties by name, missing values last",
    async ({ sort, order }) => {
      const ids = await insertHosts(app, mixedHosts());
      const { id: clientId } = await app.account("client");
      for (const [index, id] of ids.entries()) {
        if (index % 3 > 0) await assign(app, id, clientId, { to: (((index * 5) % 7) + 1) * DAY });
      }
      const hosts = await readPages(app.root, `sort=${sort}&order=${order}`);
      expect(hosts).toHaveLength(mixedHosts().length);
      expect(new Set(hosts.map(({ id }) => id)).size).toBe(hosts.length);
      const inOrder = hosts.toSorted(
        (one, other) => compare(VALUES[sort](one), VALUES[sort](other), order) || byName(one, other, { sort, order }),
      );
      expect(hosts.map(({ name }) => name)).toEqual(inOrder.map(({ name }) => name));
      expect(new Set(hosts.map(VALUES[sort])).size).toBeGreaterThan(1);
    },
  );

  it("sorts by name by default", async () => {
    await insertHosts(app, mixedHosts());
    const byName = idsOf(await app.root.get("/api/hosts"));
    expect(idsOf(await app.root.get("/api/hosts?sort=name"))).toEqual(byName);
    expect(idsOf(await app.root.get("/api/hosts?sort=name&order=asc"))).toEqual(byName);
    expect(idsOf(await app.root.get("/api/hosts?order=desc"))).toEqual(byName.toReversed());
  });

  it("keeps a stable order among equal hosts and returns no host twice", async () => {
    await insertHosts(
      app,
      Array.from({ length: 10 }, () => ({ name: "同名" })),
    );
    const alike = idsOf(await app.root.get("/api/hosts"));
    for (const { sort, order } of CHOICES) {
      const ids = (await readPages(app.root, `sort=${sort}&order=${order}`)).map(({ id }) => id);
      expect([sort, order, ids]).toEqual([
        sort,
        order,
        sort === "name" && order === "desc" ? alike.toReversed() : alike,
      ]);
    }
  });

  it.each([
    ["sort", "sort=", "不支持按该字段排序"],
    ["sort", "sort=expire_time", "不支持按该字段排序"],
    ["sort", "sort=id;drop%20table%20hosts", "不支持按该字段排序"],
    ["order", "sort=name&order=ASC", "排序方向只能是 asc 或 desc"],
    ["order", "order=", "排序方向只能是 asc 或 desc"],
    ["sort", "sort=cpu&sort=disk", "参数 sort 重复"],
  ])("rejects an unknown %s in ?%s with a message", async (field, query, message) => {
    const { status, body } = await app.root.get(`/api/hosts?${query}`);
    expect([status, body]).toMatchObject([400, { code: "INVALID_INPUT", errors: [{ field, message }] }]);
  });
});

describe("sorting by dates", () => {
  it("uses a client's own periods and reveals nothing of provider dates or other clients", async () => {
    const client = await app.account("client");
    const other = await app.account("client");
    const hosts = await insertHosts(
      app,
      [1, 2, 3, 4].map((number) => ({ name: `h${number}`, ...provided(number) })),
    );
    // The periods of both clients start and end in orders that contradict the provider's dates.
    const ends = [3, 1, 4, 2];
    for (const [index, hostId] of hosts.entries()) {
      await assign(app, hostId, client.id, { from: -(index + 1) * DAY, to: (ends[index] ?? 0) * DAY });
      await assign(app, hostId, other.id, { from: (index - 9) * DAY, to: (10 + index) * DAY });
    }
    const [first, second, third, fourth] = hosts;
    const orders = async () => {
      const queries = [
        "sort=createTime",
        "sort=createTime&order=desc",
        "sort=expireTime",
        "sort=expireTime&order=desc",
      ];
      return Promise.all(queries.map(async (query) => idsOf(await client.get(`/api/hosts?${query}`))));
    };
    const own = [
      [fourth, third, second, first],
      [first, second, third, fourth],
      [second, fourth, first, third],
      [third, first, fourth, second],
    ];
    expect(await orders()).toEqual(own);
    const { data } = await client.get("/api/hosts?sort=expireTime");
    const expiries = data.hosts.map(({ expireTime }: Host) => expireTime);
    expect(expiries).toEqual(expiries.toSorted((one: number, another: number) => one - another));
    expect(idsOf(await app.root.get("/api/hosts?sort=expireTime"))).toEqual(hosts);

    // The provider's dates and charge types do not affect a client's order.
    await app.database.query(
      "update hosts set create_time = 4000000000 - create_time, expire_time = 5000000000 - expire_time",
    );
    expect(await orders()).toEqual(own);
    await app.database.query("update hosts set charge_type = 'Dynamic', expire_time = null where id = any($1)", [
      [second, fourth],
    ]);
    expect(await orders()).toEqual(own);
    expect(idsOf(await app.root.get("/api/hosts?sort=expireTime"))).toEqual([third, first, second, fourth]);
  });

  it("uses the provider's dates for an admin, whatever the clients' periods are", async () => {
    const admin = await app.account("admin");
    const client = await app.account("client", { adminId: admin.id });
    const hosts = await insertHosts(
      app,
      [1, 2, 3].map((number) => ({ name: `h${number}`, ...provided(number) })),
    );
    for (const [index, hostId] of hosts.entries()) await assign(app, hostId, client.id, { to: (9 - index) * DAY });
    await insertHost(app, { name: "foreign", ...provided(0) });
    expect(idsOf(await admin.get("/api/hosts?sort=expireTime"))).toEqual(hosts);
    expect(idsOf(await admin.get("/api/hosts?sort=createTime&order=desc"))).toEqual(hosts.toReversed());
    expect(idsOf(await client.get("/api/hosts?sort=expireTime"))).toEqual(hosts.toReversed());
  });

  it("sorts by the first of the assignments that the caller sees", async () => {
    const admin = await app.account("admin");
    const client = await app.account("client", { adminId: admin.id });
    const other = await app.account("client");
    const [first = "", second = ""] = await insertHosts(app, [{ name: "a" }, { name: "b" }]);
    await assign(app, first, client.id, { to: 9 * DAY });
    await assign(app, first, other.id, { to: 2 * DAY });
    await assign(app, second, client.id, { to: 5 * DAY });
    for (const account of [admin, client]) {
      expect(idsOf(await account.get("/api/hosts?sort=assignedExpireTime"))).toEqual([second, first]);
    }
    expect(idsOf(await app.root.get("/api/hosts?sort=assignedExpireTime"))).toEqual([first, second]);
  });
});

/** Dates ascending by index. */
function provided(number: number) {
  return { create_time: 1_600_000_000 + number * DAY, expire_time: 1_900_000_000 + number * DAY };
}

/** Few distinct values with many ties, some of them null, and unordered names. */
function mixedHosts() {
  const words = ["web", "数据库", "Web", "api", "缓存"];
  return Array.from({ length: 14 }, (_, index) => ({
    name: `${words[index % 5]}-${(index * 5) % 14}`,
    status: HostStatus.options[(index * 5) % 6],
    region: ["sg", "cn-bj2", "hk"][index % 3],
    zone: `${["sg", "cn-bj2", "hk"][index % 3]}-0${(index % 2) + 1}`,
    cpu: [8, 2, 16, 4][index % 4],
    memory: [4096, 1024, 65_536][index % 3],
    disk: [100, 20, 1000][(index * 2) % 3],
    charge_type: ["Month", "Year", "Dynamic"][index % 3],
    create_time: index % 6 === 0 ? null : 1_700_000_000 - (index % 4) * DAY,
    expire_time: index % 7 === 0 ? null : 1_900_000_000 + ((index * 3) % 5) * DAY,
  }));
}

async function readPages(account: RestClient, query: string): Promise<Host[]> {
  const hosts: Host[] = [];
  for (let page = 1; ; page++) {
    const { status, data } = await account.get(`/api/hosts?${query}&limit=${LIMIT}&page=${page}`);
    expect(status).toBe(200);
    hosts.push(...data.hosts);
    if (page >= data.pagination.totalPages) return hosts;
  }
}

function compare(one: string | number | null, other: string | number | null, order: SortOrder): number {
  if (one === other) return 0;
  if (one === null) return 1;
  if (other === null) return -1;
  return one < other === (order === "asc") ? -1 : 1;
}

/** All names differ. */
function byName({ name: one }: Host, { name: other }: Host, { sort }: { sort: HostSort; order: SortOrder }): number {
  return sort === "name" ? 0 : compare(one, other, "asc");
}
