import { beforeEach, describe, expect, it } from "vitest";
import { DAY_SECONDS as DAY, type ExpiryState, expiryState } from "../../src/shared/time.ts";
import { type Account, useApp } from "../harness/app.ts";
import { idsOf, insertHost, insertHosts, type Team, twoAdmins, unassign } from "../harness/data.ts";
import { fixedClock, START } from "../harness/fixed-clock.ts";

const clock = fixedClock();
const app = useApp({ overrides: { clock }, config: { session: { ttl: 1e9, idle: 1e9 } } });
let team: Team;

beforeEach(async () => {
  clock.rewind();
  team = await twoAdmins(app);
});

const list = (account: Account, query: string) => account.get(`/api/hosts?limit=100&${query}`);
const find = async (account: Account, text: string) => idsOf(await list(account, `search=${encodeURIComponent(text)}`));

/** Assigns a host for sixty days, up to so many seconds from now. */
async function assignUntil(hostId: string, { id: userId }: Account, ahead: number) {
  const period = { assignedAt: START + ahead - 60 * DAY, assignedExpireTime: START + ahead };
  expect((await app.root.post("/api/hosts/assign", { hostId, userId, ...period })).status).toBe(200);
}

describe("the list of hosts", () => {
  it("sorts by name in the same order on every page", async () => {
    const names = ["e", "b", "d", "a", "c", "c", "b2"];
    await insertHosts(
      app,
      names.map((name) => ({ name })),
    );
    const pages = await Promise.all([1, 2, 3, 4, 5].map((page) => app.root.get(`/api/hosts?limit=2&page=${page}`)));
    expect(pages.flatMap(({ data }) => data.hosts.map(({ name }: { name: string }) => name))).toEqual(names.toSorted());
    expect(new Set(pages.flatMap(idsOf)).size).toBe(7);
    for (const [index, { data }] of pages.entries()) {
      expect(data.pagination).toEqual({ page: index + 1, limit: 2, total: 7, totalPages: 4 });
    }
  });

  it("searches names and provider ids case-insensitively and literally, after trimming", async () => {
    const percent = await insertHost(app, { name: "折扣50%_off", ucloud_id: "uhost-AbC1" });
    const plain = await insertHost(app, { name: "Web\\Server", ucloud_id: "uhost-xyz9" });
    for (const [text, found] of [
      ["折扣", [percent]],
      ["  HOST-ABC ", [percent]],
      ["%", [percent]],
      ["_", [percent]],
      ["0%_o", [percent]],
      ["\\", [plain]],
      ["web\\server", [plain]],
      ["uhost-", [plain, percent]],
      ["   ", [plain, percent]],
      ["5_%", []],
    ] as const) {
      expect([text, await find(app.root, text)]).toEqual([text, found]);
    }
  });

  it("does not match text that spans name and id", async () => {
    await insertHost(app, { name: "ends", ucloud_id: "uhost-1" });
    expect(await find(app.root, "ends\nuhost")).toEqual([]);
    const broken = await insertHost(app, { name: "two\nlines", ucloud_id: "uhost-2" });
    expect(await find(app.root, "o\nL")).toEqual([broken]);
  });

  it("searches the addresses that the caller may see, any part of them", async () => {
    const { admin, client } = team;
    const ipSet = (IP: string) => ({ ip_set: [{ Type: "Bgp", IP }] });
    const current = await insertHost(app, { name: "a", ...ipSet("192.0.2.17") });
    const expired = await insertHost(app, { name: "b", ...ipSet("192.0.2.18") });
    const foreign = await insertHost(app, { name: "c", ...ipSet("2001:DB8::17") });
    await assignUntil(current, client, DAY);
    await assignUntil(expired, client, -DAY);
    expect(await find(app.root, "192.0.2.1")).toEqual([current, expired]);
    expect(await find(app.root, "db8::17")).toEqual([foreign]);
    expect(await find(app.root, "192_0")).toEqual([]);
    expect(await find(admin, "2.17")).toEqual([current]);
    expect(await find(admin, "db8::17")).toEqual([]);
    expect(await find(client, "192.0.2.1")).toEqual([]);
    await app.root.put("/api/system-config", { show_network_info_to_client: true });
    expect(await find(client, "192.0.2.1")).toEqual([current]);
  });

  it("lists the hosts of one user, gone ones too, as many as the list of users counts", async () => {
    const { admin, client, otherClient } = team;
    const [first = "", gone = "", ended = "", others = ""] = await insertHosts(
      app,
      ["a", "b", "c", "d"].map((name) => ({ name })),
    );
    for (const id of [first, gone, ended]) await assignUntil(id, client, DAY);
    for (const id of [first, others]) await assignUntil(id, otherClient, DAY);
    await unassign(app, ended, client.id);
    await app.database.query("update hosts set gone_at = 1 where id = $1", [gone]);
    for (const account of [app.root, admin]) {
      expect(idsOf(await list(account, `userId=${client.id}`))).toEqual([first, gone]);
      const { data } = await account.get(`/api/users?search=${client.username}`);
      expect(data.users).toMatchObject([{ id: client.id, hostCount: 2 }]);
    }
    expect(idsOf(await list(app.root, `userId=${client.id}&gone=false`))).toEqual([first]);
  });

  it("filters by status and region for every role", async () => {
    const stopped = await insertHost(app, { name: "a", status: "Stopped", region: "hk" });
    const running = await insertHost(app, { name: "b", status: "Running", region: "hk" });
    const inOtherRegion = await insertHost(app, { name: "c", status: "Stopped", region: "sg" });
    for (const id of [stopped, running, inOtherRegion]) await assignUntil(id, team.client, DAY);
    for (const account of [app.root, team.admin, team.client]) {
      expect(idsOf(await list(account, "status=Stopped"))).toEqual([stopped, inOtherRegion]);
      expect(idsOf(await list(account, "region=hk"))).toEqual([stopped, running]);
      const both = await list(account, "region=hk&status=Running");
      expect([idsOf(both), both.data.pagination.total]).toEqual([[running], 1]);
    }
  });

  it("filters by configuration, assignment and expiry together for the super admin, and refuses it for others", async () => {
    const config = `configId=${await app.config()}`;
    const soon = await insertHost(app, { name: "a", expire_time: START + 3 * DAY, config_id: config.slice(9) });
    const later = await insertHost(app, { name: "b", expire_time: START + 20 * DAY });
    const past = await insertHost(app, { name: "c", expire_time: START - DAY });
    await assignUntil(soon, team.client, DAY);
    await assignUntil(later, team.client, DAY);
    await unassign(app, later, team.client.id);
    for (const [query, hosts] of [
      [config, [soon]],
      ["assigned=true", [soon]],
      ["assigned=false", [later, past]],
      ["gone=true", []],
      ["gone=false", [soon, later, past]],
      ["expired=true", [past]],
      ["expiring=30", [soon, later]],
      ["expiring=30&assigned=false", [later]],
    ] as const) {
      const answer = await list(app.root, query);
      expect([query, idsOf(answer), answer.data.pagination.total]).toEqual([query, hosts, hosts.length]);
      for (const account of [team.admin, team.client]) expect((await list(account, query)).status, query).toBe(400);
    }
  });
});

describe("filters and counts by expiry", () => {
  /** Seconds from now around every limit of the rule. */
  const AHEAD = [-DAY, -1, 0, 1, DAY, 7 * DAY - 1, 7 * DAY, 7 * DAY + 1, 30 * DAY] as const;

  it("follow the rule to the second for the provider's dates and for the ends of assignments", async () => {
    const { admin, client } = team;
    for (const ahead of AHEAD) {
      await assignUntil(await insertHost(app, { name: String(ahead), expire_time: START + ahead }), client, ahead);
    }
    await insertHost(app, { name: "100", expire_time: START - DAY, charge_type: "Dynamic" });
    await insertHost(app, { name: "200", expire_time: null });
    const inState = (state: ExpiryState) => AHEAD.filter((ahead) => expiryState(START + ahead, START) === state);
    const notExpired = AHEAD.filter((ahead) => ahead >= 0);
    const namesIn = async (account: Account, query: string) => {
      const names = (await list(account, query)).data.hosts.map(({ name }: { name: string }) => Number(name));
      return names.sort((one: number, other: number) => one - other);
    };
    expect(await namesIn(app.root, "expired=true")).toEqual(inState("expired"));
    expect(await namesIn(app.root, "expired=false")).toEqual([...notExpired, 100, 200].sort((a, b) => a - b));
    expect(await namesIn(app.root, "expiring=7")).toEqual(inState("expiring"));
    for (const account of [admin, client]) {
      expect(await namesIn(account, "assignedExpired=true")).toEqual(inState("expired"));
      expect(await namesIn(account, "assignedExpired=false")).toEqual(notExpired);
      expect(await namesIn(account, "assignedExpiring=7")).toEqual(inState("expiring"));
    }
    const counts = { expired: inState("expired").length, expiringSoon: inState("expiring").length };
    for (const account of [app.root, client]) {
      expect((await account.get("/api/hosts/summary")).data).toMatchObject(counts);
    }
  });

  it("a client's filter by assignment end ignores the assignments of other clients of the same host", async () => {
    const hostId = await insertHost(app);
    await assignUntil(hostId, team.client, 20 * DAY);
    await assignUntil(hostId, team.otherClient, 2 * DAY);
    expect(idsOf(await list(team.client, "assignedExpiring=7"))).toEqual([]);
    expect(idsOf(await list(app.root, "assignedExpiring=7"))).toEqual([hostId]);
  });
});
