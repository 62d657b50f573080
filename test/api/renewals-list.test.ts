import { describe, expect, it } from "vitest";
import { DAY_SECONDS } from "../../src/shared/time.ts";
import { type Account, useApp, useTeam } from "../harness/app.ts";
import {
  assign,
  decide,
  idsOf,
  insertHost,
  now,
  readPages,
  requestRenewal,
  unassign,
} from "../harness/data.ts";

const app = useApp();
const team = useTeam(app);

/** Creates a request of the client for a new host. */
async function requestFor(
  account: Account,
  name = "网站-1",
  more: Record<string, unknown> = {},
): Promise<string> {
  const hostId = await insertHost(app, { name, ...more });
  await assign(app, hostId, account.id);
  return await requestRenewal(account, hostId);
}

const search = (account: Account, text: string) =>
  account.get(`/api/renewals?search=${encodeURIComponent(text)}`);
const hostOf = async (account: Account, id: string) =>
  (await account.get(`/api/renewals/${id}`)).data.host;

it("a request shows nothing that changed on a host since it was unassigned", async () => {
  const { admin, client, otherClient } = team;
  const id = await requestFor(client, "旧名", { expire_time: 1_990_000_000 });
  const { id: hostId } = await hostOf(client, id);
  const change = (columns: string) =>
    app.database.query(`update hosts set ${columns} where id = $1`, [hostId]);
  await change("name = '改名', cpu = 6");
  expect(await hostOf(client, id)).toMatchObject({ name: "改名", cpu: 6 });

  await unassign(app, hostId, client.id);
  await assign(app, hostId, otherClient.id);
  await change("name = '别家', cpu = 8, memory = 1, expire_time = 5");
  for (const account of [client, admin]) {
    const seen = (await account.get(`/api/renewals/${id}`)).data;
    expect(seen.host).toMatchObject({ id: hostId, name: "旧名", cpu: 4, memory: 8192 });
    expect(seen.host.expireTime).toBe(account === client ? seen.assignedExpireTime : 1_990_000_000);
    expect(idsOf(await search(account, "别家"))).toEqual([]);
    expect(idsOf(await search(account, "旧名"))).toEqual([id]);
  }
  expect(await hostOf(app.root, id)).toMatchObject({ name: "别家", cpu: 8, expireTime: 5 });
  expect(idsOf(await search(app.root, "别家"))).toEqual([id]);

  await assign(app, hostId, client.id, { from: DAY_SECONDS });
  expect(await hostOf(client, id)).toMatchObject({ name: "旧名", cpu: 4 });
  expect(idsOf(await search(client, "别家"))).toEqual([]);
  expect(await hostOf(admin, id)).toMatchObject({ name: "别家", cpu: 8 });
  await assign(app, hostId, client.id);
  expect(await hostOf(client, id)).toMatchObject({ name: "别家", cpu: 8 });
});

describe("searching renewal requests", () => {
  it("finds text anywhere in username and host name in the caller's scope", async () => {
    const web = await requestFor(
      await app.account("client", { username: "zhang_kehu" }),
      "Web-前端",
    );
    const db = await requestFor(team.client, "DB_主库");
    for (const [text, found] of [
      ["前端", [web]],
      ["web", [web]],
      ["ZHANG", [web]],
      ["  _kehu ", [web]],
      ["db", [db]],
      ["_", [db, web]],
      ["", [db, web]],
      ["uhost-", []],
      ["w%", []],
      ["d__主", []],
    ] as const) {
      const answer = await search(app.root, text);
      expect([text, idsOf(answer), answer.data.pagination.total]).toEqual([
        text,
        found,
        found.length,
      ]);
      for (const account of [team.admin, team.client]) {
        expect([text, idsOf(await search(account, text))]).toEqual([
          text,
          found.filter((id) => id === db),
        ]);
      }
    }
  });

  it("status counts count every status in the search and scope, whatever is asked for", async () => {
    const { admin, client, otherClient } = team;
    await decide(app, await requestFor(client, "甲-1"), "rejected");
    await decide(app, await requestFor(client, "甲-2"), "completed");
    await requestFor(client, "甲-3");
    await requestFor(client, "乙-1");
    await requestFor(otherClient, "甲-4");
    const none = { pending: 0, approved: 0, rejected: 0, completed: 0, cancelled: 0 };
    const own = { ...none, pending: 2, rejected: 1, completed: 1 };
    for (const query of ["", "status=pending", "status=cancelled", "page=9&limit=1"]) {
      for (const account of [client, admin, app.root]) {
        const { counts } = (await account.get(`/api/renewals?${query}`)).data;
        expect(counts).toEqual({ ...own, pending: account === app.root ? 3 : 2 });
      }
    }
    const { data } = await client.get(
      `/api/renewals?search=${encodeURIComponent("甲")}&status=approved`,
    );
    expect(data).toMatchObject({ counts: { ...own, pending: 1 }, pagination: { total: 0 } });
  });
});

it("the order of requests is by request time or by the client's expiry", async () => {
  const ids: string[] = [];
  const start = now();
  for (const left of [20, 5, 200, 5, 3]) {
    const hostId = await insertHost(app, { expire_time: 2_000_000_000 - ids.length * DAY_SECONDS });
    await assign(app, hostId, team.client.id, { to: start - now() + left * DAY_SECONDS });
    ids.push(await requestRenewal(team.client, hostId));
  }
  const [twenty, five, years, alsoFive, three] = ids;
  for (const account of [app.root, team.admin, team.client]) {
    for (const [query, expected] of [
      ["order=asc", ids],
      ["sort=createdAt", ids.toReversed()],
      ["sort=expireTime&order=asc", [three, alsoFive, five, twenty, years]],
      ["sort=expireTime&order=desc", [years, twenty, alsoFive, five, three]],
    ] as const) {
      const pages = await readPages(account, `/api/renewals?${query}`, 2);
      expect([query, pages.flatMap(idsOf)]).toEqual([query, expected]);
      expect(pages.map(({ data }) => data.pagination.total)).toEqual([5, 5, 5]);
    }
  }
  await team.client.delete(`/api/renewals/${twenty}`);
  const oldest = await app.root.get("/api/renewals?status=pending&order=asc&limit=1");
  expect([idsOf(oldest), oldest.data.pagination.total]).toEqual([[five], 4]);
});
