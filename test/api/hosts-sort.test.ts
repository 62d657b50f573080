import { describe, expect, it } from "vitest";
import { type Host, HostSort, HostStatus } from "../../src/shared/hosts.ts";
import { SortOrder } from "../../src/shared/page.ts";
import { type Account, useApp } from "../harness/app.ts";
import { assign, DAY, idsOf, insertHost, insertHosts, readPages, twoAdmins } from "../harness/data.ts";

const app = useApp();
const sorted = async (account: Account, query: string) => idsOf(await account.get(`/api/hosts?${query}`));

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
      const pages = await readPages(app.root, `/api/hosts?sort=${sort}&order=${order}`, 3);
      const hosts: Host[] = pages.flatMap(({ data }) => data.hosts);
      expect(hosts).toHaveLength(mixedHosts().length);
      expect(new Set(hosts.map(({ id }) => id)).size).toBe(hosts.length);
      const inOrder = hosts.toSorted(
        (one, other) =>
          compare(VALUES[sort](one), VALUES[sort](other), order) ||
          (sort === "name" ? 0 : compare(one.name, other.name, "asc")),
      );
      expect(hosts.map(({ name }) => name)).toEqual(inOrder.map(({ name }) => name));
      expect(new Set(hosts.map(VALUES[sort])).size).toBeGreaterThan(1);
    },
  );

  it("is by name unless another is asked for", async () => {
    await insertHosts(app, mixedHosts());
    const byName = await sorted(app.root, "sort=name&order=asc");
    expect(await sorted(app.root, "")).toEqual(byName);
    expect(await sorted(app.root, "order=desc")).toEqual(byName.toReversed());
  });

  it("is the same among equal hosts at every read, and no page repeats a host", async () => {
    await insertHosts(app, Array<object>(10).fill({ name: "同名" }));
    const alike = await sorted(app.root, "");
    for (const { sort, order } of CHOICES) {
      const pages = await readPages(app.root, `/api/hosts?sort=${sort}&order=${order}`, 3);
      const expected = sort === "name" && order === "desc" ? alike.toReversed() : alike;
      expect([sort, order, pages.flatMap(idsOf)]).toEqual([sort, order, expected]);
    }
  });
});

describe("sorting by dates", () => {
  it("uses a client's own periods and reveals nothing of provider dates or other clients", async () => {
    const { client, otherClient } = await twoAdmins(app);
    const hosts = await insertHosts(app, [1, 2, 3, 4].map(provided));
    // The periods of both clients start and end in orders that contradict the provider's dates.
    const ends = [3, 1, 4, 2];
    for (const [index, hostId] of hosts.entries()) {
      await assign(app, hostId, client.id, { from: -(index + 1) * DAY, to: (ends[index] ?? 0) * DAY });
      await assign(app, hostId, otherClient.id, { from: (index - 9) * DAY, to: (10 + index) * DAY });
    }
    const [first, second, third, fourth] = hosts;
    const expectOwnOrder = async () => {
      expect(await sorted(client, "sort=createTime")).toEqual([fourth, third, second, first]);
      expect(await sorted(client, "sort=createTime&order=desc")).toEqual([first, second, third, fourth]);
      expect(await sorted(client, "sort=expireTime")).toEqual([second, fourth, first, third]);
      expect(await sorted(client, "sort=expireTime&order=desc")).toEqual([third, first, fourth, second]);
    };
    await expectOwnOrder();
    expect(await sorted(app.root, "sort=expireTime")).toEqual(hosts);

    await app.database.query(
      "update hosts set create_time = 4000000000 - create_time, expire_time = 5000000000 - expire_time",
    );
    await expectOwnOrder();
    await app.database.query("update hosts set charge_type = 'Dynamic', expire_time = null where id = any($1)", [
      [second, fourth],
    ]);
    await expectOwnOrder();
    expect(await sorted(app.root, "sort=expireTime")).toEqual([third, first, second, fourth]);
  });

  it("uses the provider's dates for an admin, whatever the clients' periods are", async () => {
    const { admin, client } = await twoAdmins(app);
    const hosts = await insertHosts(app, [1, 2, 3].map(provided));
    for (const [index, hostId] of hosts.entries()) await assign(app, hostId, client.id, { to: (9 - index) * DAY });
    await insertHost(app, provided(0));
    expect(await sorted(admin, "sort=expireTime")).toEqual(hosts);
    expect(await sorted(admin, "sort=createTime&order=desc")).toEqual(hosts.toReversed());
    expect(await sorted(client, "sort=expireTime")).toEqual(hosts.toReversed());
  });

  it("uses the first end of the assignments that the caller sees", async () => {
    const { admin, client, otherClient } = await twoAdmins(app);
    const [first = "", second = ""] = await insertHosts(app, [{ name: "a" }, { name: "b" }]);
    await assign(app, first, client.id, { to: 9 * DAY });
    await assign(app, first, otherClient.id, { to: 2 * DAY });
    await assign(app, second, client.id, { to: 5 * DAY });
    expect(await sorted(admin, "sort=assignedExpireTime")).toEqual([second, first]);
    expect(await sorted(client, "sort=assignedExpireTime")).toEqual([second, first]);
    expect(await sorted(app.root, "sort=assignedExpireTime")).toEqual([first, second]);
  });
});

/** A host whose dates of the provider rise with the number. */
function provided(number: number) {
  return { name: `h${number}`, create_time: 1_600_000_000 + number * DAY, expire_time: 1_900_000_000 + number * DAY };
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

function compare(one: string | number | null, other: string | number | null, order: SortOrder): number {
  if (one === other) return 0;
  if (one === null) return 1;
  if (other === null) return -1;
  return one < other === (order === "asc") ? -1 : 1;
}
