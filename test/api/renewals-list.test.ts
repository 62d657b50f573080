import { beforeEach, describe, expect, it } from "vitest";
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

describe("a request for a host that was taken back", () => {
  let id: string;
  let hostId: string;

  const change = (columns: string) =>
    app.database.query(`update hosts set ${columns} where id = $1`, [hostId]);

  beforeEach(async () => {
    id = await requestFor(team.client, "旧名", { expire_time: 1_990_000_000 });
    hostId = (await hostOf(team.client, id)).id;
    await change("cpu = 6");
    await unassign(app, hostId, team.client.id);
    await assign(app, hostId, team.otherClient.id);
    await change("name = '别家', cpu = 8, memory = 1, expire_time = 5");
  });

  it("shows client and admin the host as it was at the request", async () => {
    const ofClient = await team.client.get(`/api/renewals/${id}`);
    const ofAdmin = await hostOf(team.admin, id);

    const old = { id: hostId, name: "旧名", cpu: 4, memory: 8192 };
    const { host, assignedExpireTime } = ofClient.data;
    expect(host).toMatchObject({ ...old, expireTime: assignedExpireTime });
    expect(ofAdmin).toMatchObject({ ...old, expireTime: 1_990_000_000 });
  });

  it("shows the super admin the host as it is", async () => {
    expect(await hostOf(app.root, id)).toMatchObject({ name: "别家", cpu: 8, expireTime: 5 });
  });

  it("is found by the name that its reader sees, and by no other", async () => {
    for (const account of [team.client, team.admin]) {
      expect(idsOf(await search(account, "别家"))).toEqual([]);
      expect(idsOf(await search(account, "旧名"))).toEqual([id]);
    }

    expect(idsOf(await search(app.root, "别家"))).toEqual([id]);
  });

  it("shows the host as it is to the admin of a client who gets it again later", async () => {
    await assign(app, hostId, team.client.id, { from: DAY_SECONDS });

    expect(await hostOf(team.admin, id)).toMatchObject({ name: "别家", cpu: 8 });
    expect(await hostOf(team.client, id)).toMatchObject({ name: "旧名", cpu: 4 });
    expect(idsOf(await search(team.client, "别家"))).toEqual([]);
  });

  it("shows the host as it is to a client who has it again", async () => {
    await assign(app, hostId, team.client.id);

    expect(await hostOf(team.client, id)).toMatchObject({ name: "别家", cpu: 8 });
  });
});

it("a request shows what changed on its host as long as the client has it", async () => {
  const id = await requestFor(team.client, "旧名");

  await app.database.query("update hosts set name = '改名', cpu = 6");

  expect(await hostOf(team.client, id)).toMatchObject({ name: "改名", cpu: 6 });
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

describe("the order of requests", () => {
  /** Requests in the order in which they were made, for hosts that have so many days left. */
  async function requestFrom(daysLeft: readonly number[]): Promise<string[]> {
    const ids: string[] = [];
    // The same moment for all, so that equal days are equal ends.
    const start = now();
    for (const [index, days] of daysLeft.entries()) {
      // The provider's ends fall.
      const hostId = await insertHost(app, { expire_time: 2_000_000_000 - index * DAY_SECONDS });
      await assign(app, hostId, team.client.id, { to: start - now() + days * DAY_SECONDS });
      ids.push(await requestRenewal(team.client, hostId));
    }
    return ids;
  }

  it("is by request time or by the client's expiry, the same for all roles", async () => {
    const ids = await requestFrom([20, 5, 200, 5, 3]);
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
  });

  it("begins with the oldest pending request when asked for it", async () => {
    const [withdrawn, oldest] = await requestFrom([20, 5, 200]);
    await team.client.delete(`/api/renewals/${withdrawn}`);

    const page = await app.root.get("/api/renewals?status=pending&order=asc&limit=1");

    expect([idsOf(page), page.data.pagination.total]).toEqual([[oldest], 2]);
  });
});
