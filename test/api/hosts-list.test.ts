import { beforeEach, describe, expect, it } from "vitest";
import { HostSort, ListHostsInput } from "../../src/shared/hosts.ts";
import type { SortOrder } from "../../src/shared/page.ts";
import type { Role } from "../../src/shared/roles.ts";
import { DAY_SECONDS, type ExpiryState, expiryState } from "../../src/shared/time.ts";
import { type Account, useApp, useTeam } from "../harness/app.ts";
import { fixedClock, START } from "../harness/clocks.ts";
import {
  idsOf,
  insertHost,
  insertHosts,
  MISSING,
  PART_OF_DAY,
  readPages,
  unassign,
} from "../harness/data.ts";
import { inputFields } from "../harness/input-fields.ts";
import { assertOk } from "../harness/rest.ts";

const clock = fixedClock();
const app = useApp({ overrides: { clock }, config: { session: { ttl: 1e9, idle: 1e9 } } });
const team = useTeam(app);

const INVALID = [400, "INVALID_INPUT"];
const EVERYBODY: readonly Role[] = ["super_admin", "admin", "client"];
const ADMINS: readonly Role[] = ["super_admin", "admin"];
const SUPER_ADMINS: readonly Role[] = ["super_admin"];
/** Who may narrow the list by each parameter. */
const FILTERS: Readonly<Record<string, readonly Role[]>> = {
  "search=web": EVERYBODY,
  "status=Running": EVERYBODY,
  "region=hk": EVERYBODY,
  "assignedExpiring=7": EVERYBODY,
  "assignedExpired=true": EVERYBODY,
  "sort=cpu": EVERYBODY,
  "order=desc": EVERYBODY,
  [`noticeId=${MISSING}`]: EVERYBODY,
  "expiring=7": ADMINS,
  "expired=true": ADMINS,
  "providerEndsFirst=true": ADMINS,
  "autoRenew=true": ADMINS,
  "tag=prod": ADMINS,
  [`userId=${MISSING}`]: ADMINS,
  "gone=true": SUPER_ADMINS,
  "assigned=true": SUPER_ADMINS,
  [`configId=${MISSING}`]: SUPER_ADMINS,
  "outsideProjects=org-1": SUPER_ADMINS,
};

const list = (account: Account, query: string) => account.get(`/api/hosts?limit=100&${query}`);
const idsIn = async (account: Account, query: string) => idsOf(await list(account, query));
const find = (account: Account, text: string) =>
  idsIn(account, `search=${encodeURIComponent(text)}`);

/** Assigns a host up to so many seconds from now, for sixty days and a part of one. */
async function assignUntil(
  hostId: string,
  { id: userId }: Account,
  ahead: number,
  from = ahead - 60 * DAY_SECONDS - PART_OF_DAY,
) {
  const period = { assignedAt: START + from, assignedExpireTime: START + ahead };
  await assertOk(app.root.post("/api/hosts/assign", { hostId, userId, ...period }));
}

describe("searching hosts", () => {
  it("searches names and provider ids case-insensitively and literally, after trimming", async () => {
    const percent = await insertHost(app, { name: "折扣50%_off", ucloud_id: "uhost-AbC1" });
    const plain = await insertHost(app, { name: "Web\\Server", ucloud_id: "uhost-xyz9" });
    for (const [text, found] of [
      ["折扣", [percent]],
      ["  HOST-ABC ", [percent]],
      ["\u200bhost-abc\ufeff", [percent]],
      ["%", [percent]],
      ["_", [percent]],
      ["\\", [plain]],
      ["web\\server", [plain]],
      ["   ", [percent, plain]],
      ["\u200b", [percent, plain]],
      ["5_%", []],
    ] as const) {
      expect([text, await find(app.root, text)]).toEqual([text, found]);
    }
  });

  describe("by addresses", () => {
    let current: string;
    let expired: string;
    let foreign: string;

    beforeEach(async () => {
      const addresses = ["192.0.2.17", "192.0.2.18", "2001:DB8::17"];
      // Ids that no address matches.
      const hosts = addresses.map((IP, index) => ({
        name: `host ${"abc".charAt(index)}`,
        ucloud_id: `uhost-${"abc".charAt(index)}`,
        ip_set: [{ Type: "Bgp", IP }],
      }));
      [current = "", expired = "", foreign = ""] = await insertHosts(app, hosts);
      await assignUntil(current, team.client, DAY_SECONDS);
      await assignUntil(expired, team.client, -DAY_SECONDS);
    });

    it.each(["192.0.2.1", "2.0.2.1"])("finds a part: %s", async (text) => {
      expect(await find(app.root, text)).toEqual([current, expired]);
    });

    it.each(["db8::17", "DB8::17", "db"])("finds it in any case: %s", async (text) => {
      expect(await find(app.root, text)).toEqual([foreign]);
    });

    it("takes an underscore literally", async () => {
      expect(await find(app.root, "192_0")).toEqual([]);
    });

    it("finds those of the own clients' hosts for an admin", async () => {
      expect(await find(team.admin, "2.17")).toEqual([current]);
      expect(await find(team.admin, "db8::17")).toEqual([]);
    });

    it("finds none for a client unless the setting shows them", async () => {
      const hidden = await find(team.client, "192.0.2.1");
      await app.root.put("/api/system-config", { show_network_info_to_client: true });
      const shown = await find(team.client, "192.0.2.1");

      expect([hidden, shown]).toEqual([[], [current]]);
    });
  });
});

describe("filtering hosts", () => {
  it("lists the hosts of one user, gone ones too, as many as the list of users counts", async () => {
    const { admin, client, otherClient } = team;
    const names = ["a", "b", "c", "d"].map((name) => ({ name }));
    const [first = "", gone = "", ended = "", others = ""] = await insertHosts(app, names);
    for (const id of [first, gone, ended]) await assignUntil(id, client, DAY_SECONDS);
    for (const id of [first, others]) await assignUntil(id, otherClient, DAY_SECONDS);
    await unassign(app, ended, client.id);
    await app.database.query("update hosts set gone_at = 1 where id = $1", [gone]);
    for (const account of [app.root, admin]) {
      expect(await idsIn(account, `userId=${client.id}`)).toEqual([first, gone]);
      const { data } = await account.get(`/api/users?search=${client.username}`);
      expect(data.users).toMatchObject([{ id: client.id, hostCount: 2 }]);
    }

    expect(await idsIn(app.root, `userId=${client.id}&gone=false`)).toEqual([first]);
  });

  it("filters by status and region for every role, by others for super admins", async () => {
    const config_id = await app.config();
    const soon = {
      name: "a",
      expire_time: START + 3 * DAY_SECONDS,
      config_id,
      status: "Stopped",
      region: "hk",
    };
    const later = { name: "b", expire_time: START + 20 * DAY_SECONDS, region: "hk" };
    const past = {
      name: "c",
      expire_time: START - DAY_SECONDS,
      status: "Stopped",
      region: "sg",
      project_id: "org-9",
    };
    const [a = "", b = "", c = ""] = await insertHosts(app, [soon, later, past]);
    for (const id of [a, b]) await assignUntil(id, team.client, DAY_SECONDS);
    for (const [query, hosts] of [
      ["status=Stopped", [a]],
      ["region=hk", [a, b]],
      ["region=hk&status=Running", [b]],
      ["region=sg", []],
    ] as const) {
      for (const account of [team.admin, team.client]) {
        const answer = await list(account, query);
        expect([query, idsOf(answer), answer.data.pagination.total]).toEqual([
          query,
          hosts,
          hosts.length,
        ]);
      }
    }
    await unassign(app, b, team.client.id);
    for (const [query, hosts] of [
      [`configId=${config_id}`, [a]],
      ["outsideProjects=org-9", [a, b]],
      ["outsideProjects=org-8,org-1", [c]],
      ["assigned=true", [a]],
      ["assigned=false", [b, c]],
      ["gone=true", []],
      ["gone=false", [a, b, c]],
      ["expired=true", [c]],
      ["expiring=30", [a, b]],
      ["expiring=30&assigned=false", [b]],
    ] as const) {
      const answer = await list(app.root, query);
      expect([query, idsOf(answer), answer.data.pagination.total]).toEqual([
        query,
        hosts,
        hosts.length,
      ]);
    }
  });

  it.each(Object.entries(FILTERS))("takes the filter %s only from %j", async (query, allowed) => {
    const accounts = { super_admin: app.root, admin: team.admin, client: team.client };

    for (const [role, account] of Object.entries(accounts)) {
      const { status, data } = await list(account, query);

      const expected = allowed.some((each) => each === role) ? [200, undefined] : INVALID;
      expect([role, query, status, data.code]).toEqual([role, query, ...expected]);
    }
  });

  it("has a test of who may filter by each of its parameters", () => {
    const fields = inputFields(ListHostsInput).filter(
      (field) => !["page", "limit"].includes(field),
    );
    const tried = Object.keys(FILTERS).map((query) => query.split("=")[0]);

    expect(tried.toSorted(), "FILTERS in test/api/hosts-list.test.ts").toEqual(fields.toSorted());
  });

  it("filters by the provider's end for an admin, among the hosts of the own clients", async () => {
    const ends = [3 * DAY_SECONDS, 20 * DAY_SECONDS, -DAY_SECONDS].map((end) => START + end);
    const prepaid = ends.map((expire_time) => ({ expire_time }));
    const byTime = { expire_time: START + 3 * DAY_SECONDS, charge_type: "Dynamic" };
    const foreign = { expire_time: START + 3 * DAY_SECONDS };
    const ids = await insertHosts(app, [...prepaid, byTime, foreign]);
    const [soon = "", later = "", past = "", timed = "", other = ""] = ids;
    for (const id of [soon, later, past, timed]) await assignUntil(id, team.client, DAY_SECONDS);
    await assignUntil(other, team.otherClient, DAY_SECONDS);

    const found = async (query: string) => idsOf(await list(team.admin, query)).toSorted();

    expect(await found("expiring=7")).toEqual([soon]);
    expect(await found("expired=true")).toEqual([past]);
    expect(await found("expired=false")).toEqual([soon, later, timed].toSorted());
  });

  it("filters by automatic renewal, beside the date, and leaves out what is billed by time", async () => {
    const expire_time = START + 3 * DAY_SECONDS;
    const [renewed = "", off = "", unknown = "", later = "", timed = "", other = ""] =
      await insertHosts(app, [
        { expire_time, auto_renew: true },
        { expire_time, auto_renew: false, charge_type: "Year" },
        { expire_time, auto_renew: null },
        { expire_time: START + 60 * DAY_SECONDS, auto_renew: true },
        { expire_time, auto_renew: true, charge_type: "Dynamic" },
        { expire_time, auto_renew: false },
      ]);
    for (const id of [renewed, off, unknown, later, timed]) {
      await assignUntil(id, team.client, 9 * DAY_SECONDS);
    }

    const found = async (account: Account, query: string) =>
      idsOf(await list(account, query)).toSorted();

    expect(await found(team.admin, "autoRenew=true")).toEqual([renewed, later].toSorted());
    expect(await found(team.admin, "autoRenew=false")).toEqual([off, unknown].toSorted());
    expect(await found(app.root, "autoRenew=false")).toEqual([off, unknown, other].toSorted());
    expect(await found(team.admin, "autoRenew=true&expiring=7")).toEqual([renewed]);
    expect(await found(team.admin, "providerEndsFirst=true")).toEqual([off, unknown].toSorted());
    const ofTimed = await assertOk(app.root.get(`/api/hosts/${timed}`));
    expect(ofTimed.data.autoRenew).toBeNull();
  });

  it("finds and counts hosts that end at the provider before an assignment, in scope", async () => {
    const end = DAY_SECONDS + 18_731;
    const expire_time = START + end;
    const [earlier = "", same = "", byTime = "", endless = "", shared = ""] = await insertHosts(
      app,
      [
        { expire_time: expire_time - 1 },
        { expire_time },
        { expire_time: expire_time - 1, charge_type: "Dynamic" },
        { expire_time: null },
        { expire_time: expire_time + 1 },
      ],
    );
    for (const id of [earlier, same, byTime, endless, shared]) {
      await assignUntil(id, team.client, end);
    }
    await assignUntil(shared, team.otherClient, end + 2);

    const cases = [
      [app.root, [earlier, shared], [same, byTime, endless]],
      [team.admin, [earlier], [same, byTime, endless, shared]],
      [team.otherAdmin, [shared], []],
    ] as const;
    for (const [account, first, others] of cases) {
      const found = await list(account, "providerEndsFirst=true");
      const rest = await list(account, "providerEndsFirst=false");
      const summary = await account.get("/api/hosts/summary");

      expect(idsOf(found).toSorted()).toEqual([...first].toSorted());
      expect(idsOf(rest).toSorted()).toEqual([...others].toSorted());
      expect(summary.data.providerEndsFirst).toBe(first.length);
    }
    expect((await team.client.get("/api/hosts/summary")).data.providerEndsFirst).toBeNull();
  });

  describe("by the rule of expiry, to the second", () => {
    /** Seconds from now around every limit of the rule, rising. */
    const AHEAD = [-1, 0, 1, 7, 30].flatMap((days) =>
      [-1, 0, 1].map((more) => days * DAY_SECONDS + more),
    );
    const NOT_EXPIRED = AHEAD.filter((ahead) => ahead >= 0);
    /** Hosts that do not end at the provider, and nobody has. */
    const BY_TIME = 100;
    const ENDLESS = 200;

    const inState = (state: ExpiryState) =>
      AHEAD.filter((ahead) => expiryState(START + ahead, START) === state);

    /**
     * Hosts whose names are the seconds after which they end, at the provider and for the client.
     */
    beforeEach(async () => {
      const ending = AHEAD.map((ahead) => ({ name: String(ahead), expire_time: START + ahead }));
      const ids = await insertHosts(app, ending);
      for (const [index, id] of ids.entries()) {
        await assignUntil(id, team.client, AHEAD[index] ?? 0);
      }
      const past = { expire_time: START - DAY_SECONDS, charge_type: "Dynamic" };
      await insertHost(app, { name: String(BY_TIME), ...past });
      await insertHost(app, { name: String(ENDLESS), expire_time: null });
    });

    /** As numbers, rising. */
    async function namesIn(account: Account, query: string): Promise<number[]> {
      const { data } = await list(account, query);
      const names = data.hosts.map(({ name }: { name: string }) => Number(name));
      return names.sort((one: number, other: number) => one - other);
    }

    it("filters by the provider's end, of prepaid hosts alone", async () => {
      const notExpired = [...NOT_EXPIRED, BY_TIME, ENDLESS].sort((a, b) => a - b);

      expect(await namesIn(app.root, "expired=true")).toEqual(inState("expired"));
      expect(await namesIn(app.root, "expired=false")).toEqual(notExpired);
      expect(await namesIn(app.root, "expiring=7")).toEqual(inState("expiring"));
    });

    it("filters by the assignment's end, for admin and client", async () => {
      for (const account of [team.admin, team.client]) {
        expect(await namesIn(account, "assignedExpired=true")).toEqual(inState("expired"));
        expect(await namesIn(account, "assignedExpired=false")).toEqual(NOT_EXPIRED);
        expect(await namesIn(account, "assignedExpiring=7")).toEqual(inState("expiring"));
      }
    });

    it("counts both ends in the summary", async () => {
      const counts = {
        expired: inState("expired").length,
        expiringSoon: inState("expiring").length,
        expiringMonth: NOT_EXPIRED.filter((ahead) => ahead <= 30 * DAY_SECONDS).length,
      };

      for (const account of [app.root, team.client]) {
        expect((await account.get("/api/hosts/summary")).data).toMatchObject(counts);
      }
    });
  });
});

describe("sorting hosts", () => {
  /** The hosts by their numbers; 0 and 1 differ in nothing but their ids. */
  const ORDERS: Readonly<Record<HostSort, Readonly<Record<SortOrder, string>>>> = {
    name: { asc: "01234", desc: "43210" },
    status: { asc: "23014", desc: "40123" },
    zone: { asc: "42301", desc: "01324" },
    cpu: { asc: "20143", desc: "30142" },
    memory: { asc: "01342", desc: "23401" },
    disk: { asc: "01342", desc: "24013" },
    createTime: { asc: "34012", desc: "01432" },
    expireTime: { asc: "40123", desc: "01423" },
    assignedExpireTime: { asc: "40123", desc: "01423" },
  };

  /** Five hosts of which the first two are the same, and 2 has neither date. */
  async function insertSortableHosts(): Promise<string[]> {
    const twin = {
      name: "a",
      status: "Stopped",
      region: "sg",
      zone: "sg-02",
      cpu: 4,
      memory: 1024,
      disk: 20,
      create_time: 300,
      expire_time: 900,
    };
    const ids = await insertHosts(app, [
      twin,
      twin,
      {
        name: "b",
        status: "Running",
        region: "hk",
        zone: "hk-01",
        cpu: 2,
        memory: 4096,
        disk: 100,
        create_time: null,
        expire_time: null,
      },
      {
        name: "c",
        status: "Running",
        region: "sg",
        zone: "sg-01",
        cpu: 16,
        memory: 2048,
        disk: 20,
        create_time: 100,
        charge_type: "Dynamic",
      },
      {
        name: "d",
        status: "Unknown",
        region: "cn-bj2",
        zone: "sg-02",
        cpu: 4,
        memory: 2048,
        disk: 50,
        create_time: 200,
        expire_time: 700,
      },
    ]);
    const [first = "", same = "", , , last = ""] = ids;
    for (const id of [first, same]) await assignUntil(id, team.client, 2 * DAY_SECONDS + 411);
    await assignUntil(last, team.otherClient, DAY_SECONDS + 411);
    return ids;
  }

  async function numbersIn(ids: readonly string[], query: string): Promise<string> {
    return (await idsIn(app.root, query)).map((id) => ids.indexOf(id)).join("");
  }

  it.each(HostSort.options)(
    "sorts by every key in both orders, ties by name and id: %s",
    async (sort) => {
      const ids = await insertSortableHosts();

      const rising = await numbersIn(ids, `sort=${sort}&order=asc`);
      const falling = await numbersIn(ids, `sort=${sort}&order=desc`);

      expect({ asc: rising, desc: falling }).toEqual(ORDERS[sort]);
    },
  );

  it.each(["createTime", "expireTime", "assignedExpireTime"])(
    "puts hosts without a value last in both orders: %s",
    async (sort) => {
      const [withoutEither = "", withBoth = ""] = await insertHosts(app, [
        { name: "a", create_time: null, expire_time: null },
        { name: "b", create_time: 1, expire_time: 1 },
      ]);
      await assignUntil(withBoth, team.client, DAY_SECONDS + 411);

      const rising = await idsIn(app.root, `sort=${sort}&order=asc`);
      const falling = await idsIn(app.root, `sort=${sort}&order=desc`);

      expect([rising, falling]).toEqual(Array(2).fill([withBoth, withoutEither]));
    },
  );

  it.each(HostSort.options)("shows each host on one page only, sorted by %s", async (sort) => {
    const ids = await insertSortableHosts();

    const pages = await readPages(app.root, `/api/hosts?sort=${sort}&order=asc`, 2);

    const found = pages.flatMap(idsOf).map((id) => ids.indexOf(id));
    expect(found.join("")).toBe(ORDERS[sort].asc);
    for (const { data } of pages) {
      expect(data.pagination).toMatchObject({ total: 5, totalPages: 3 });
    }
  });

  it("sorts by name unless a key is given, rising unless an order is given", async () => {
    const ids = await insertSortableHosts();

    expect(await numbersIn(ids, "")).toBe(ORDERS.name.asc);
    expect(await numbersIn(ids, "order=desc")).toBe(ORDERS.name.desc);
    expect(await numbersIn(ids, "sort=cpu")).toBe(ORDERS.cpu.asc);
  });

  describe("by dates", () => {
    /** Hosts whose dates rise at the provider, and the periods of both clients in other orders. */
    async function insertSharedHosts() {
      const rising = [1, 2, 3, 4].map((n) => ({
        name: `h${n}`,
        create_time: n * DAY_SECONDS,
        expire_time: START + n,
      }));
      const hosts = await insertHosts(app, rising);
      const ends = [3.2, 1.2, 4.2, 2.2];
      const otherEnds = [10.3, 11.3, 0.5, 13.3];
      for (const [index, hostId] of hosts.entries()) {
        const end = (ends[index] ?? 0) * DAY_SECONDS;
        const otherEnd = (otherEnds[index] ?? 0) * DAY_SECONDS;
        await assignUntil(hostId, team.client, end, -(index + 1.1) * DAY_SECONDS);
        await assignUntil(hostId, team.otherClient, otherEnd, (index - 9.1) * DAY_SECONDS);
      }
      const [first = "", second = "", third = "", fourth = ""] = hosts;
      return {
        hosts,
        byClientsEnd: [second, fourth, first, third],
        byAnyEnd: [third, second, fourth, first],
      };
    }

    it("uses a client's own periods and reveals nothing of provider dates", async () => {
      const { hosts, byClientsEnd } = await insertSharedHosts();
      const expectOwnOrder = async () => {
        const { client } = team;
        expect(await idsIn(client, "sort=createTime")).toEqual(hosts.toReversed());
        expect(await idsIn(client, "sort=createTime&order=desc")).toEqual(hosts);
        expect(await idsIn(client, "sort=expireTime")).toEqual(byClientsEnd);
        expect(await idsIn(client, "sort=expireTime&order=desc")).toEqual(
          byClientsEnd.toReversed(),
        );
      };
      await expectOwnOrder();

      await app.database.query(
        "update hosts set create_time = 4e9 - create_time, expire_time = 5e9 - expire_time",
      );

      await expectOwnOrder();
    });

    it.each(["super admin", "admin"])("uses the provider's dates for a %s", async (role) => {
      const { hosts } = await insertSharedHosts();
      const account = role === "admin" ? team.admin : app.root;

      expect(await idsIn(account, "sort=expireTime")).toEqual(hosts);
      expect(await idsIn(account, "sort=createTime&order=desc")).toEqual(hosts.toReversed());
    });

    it("uses the ends of assignments in the caller's scope", async () => {
      const { byClientsEnd, byAnyEnd } = await insertSharedHosts();

      expect(await idsIn(team.client, "sort=assignedExpireTime")).toEqual(byClientsEnd);
      expect(await idsIn(team.admin, "sort=assignedExpireTime")).toEqual(byClientsEnd);
      expect(await idsIn(app.root, "sort=assignedExpireTime")).toEqual(byAnyEnd);
    });

    it("uses the ends of one user in the list of that user", async () => {
      const { byClientsEnd } = await insertSharedHosts();
      const query = `sort=assignedExpireTime&userId=${team.client.id}`;

      expect(await idsIn(app.root, query)).toEqual(byClientsEnd);
    });
  });
});
