import { describe, expect, it } from "vitest";
import { useApp } from "../harness/app.ts";
import { assign, DAY, idsOf, insertHost, insertHosts, now } from "../harness/data.ts";

const app = useApp();
const PAGE = "/api/hosts?";

describe("the list of hosts", () => {
  it("sorts by name in the same order on every page", async () => {
    const names = ["e", "b", "d", "a", "c", "c", "b2"];
    for (const name of names) await insertHost(app, { name });
    const pages = await Promise.all([1, 2, 3, 4].map((page) => app.root.get(`${PAGE}limit=2&page=${page}`)));
    expect(pages.flatMap(({ data }) => data.hosts.map(({ name }: { name: string }) => name))).toEqual([
      ...names.sort(),
    ]);
    expect(new Set(pages.flatMap(idsOf)).size).toBe(7);
    expect(pages.map(({ data }) => data.pagination.total)).toEqual([7, 7, 7, 7]);
    expect(pages[0]?.data.pagination).toEqual({ page: 1, limit: 2, total: 7, totalPages: 4 });
  });

  it("returns every page of a search with thousands of matches, in order and with the total", async () => {
    const numbers = Array.from({ length: 1100 }, (_, index) => String(index + 1).padStart(4, "0"));
    await insertHosts(
      app,
      numbers.map((number) => ({ name: `many-${number}` })),
    );
    const namesOf = async (query: string) => {
      const { data } = await app.root.get(`${PAGE}${query}`);
      return [data.pagination.total, data.hosts.map(({ name }: { name: string }) => name)];
    };
    expect(await namesOf("search=many&limit=2")).toEqual([1100, ["many-0001", "many-0002"]]);
    expect(await namesOf("search=many&limit=2&page=550")).toEqual([1100, ["many-1099", "many-1100"]]);
    expect(await namesOf("search=many&limit=2&page=551")).toEqual([1100, []]);
    expect(await namesOf("search=many-0&limit=2&page=500")).toEqual([999, ["many-0999"]]);
  });

  it("searches names and provider ids case-insensitively and literally, after trimming", async () => {
    const percent = await insertHost(app, { name: "折扣50%_off", ucloud_id: "uhost-AbC1" });
    const plain = await insertHost(app, { name: "Web\\Server", ucloud_id: "uhost-xyz9" });
    const find = async (search: string) => idsOf(await app.root.get(`${PAGE}search=${encodeURIComponent(search)}`));
    expect(await find("折扣")).toEqual([percent]);
    expect(await find("  HOST-ABC ")).toEqual([percent]);
    expect(await find("%")).toEqual([percent]);
    expect(await find("_")).toEqual([percent]);
    expect(await find("\\")).toEqual([plain]);
    expect(await find("web\\server")).toEqual([plain]);
    expect(await find("uhost-")).toHaveLength(2);
    expect(await find("   ")).toHaveLength(2);
    expect(await find("0%_o")).toEqual([percent]);
    expect(await find("5_%")).toEqual([]);
  });

  it("searches the addresses that the caller may see, any part of them", async () => {
    const admin = await app.account("admin");
    const client = await app.account("client", { adminId: admin.id });
    const ipSet = (IP: string) => [{ Type: "Bgp", IP }];
    const current = await insertHost(app, { name: "a", ip_set: ipSet("192.0.2.17") });
    const expired = await insertHost(app, { name: "b", ip_set: ipSet("192.0.2.18") });
    const foreign = await insertHost(app, { name: "c", ip_set: ipSet("2001:DB8::17") });
    await assign(app, current, client.id);
    await assign(app, expired, client.id, { from: -9 * DAY, to: -DAY });
    const find = async (account: typeof client, search: string) =>
      idsOf(await account.get(`${PAGE}search=${encodeURIComponent(search)}`));
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
    const admin = await app.account("admin");
    const client = await app.account("client", { adminId: admin.id });
    const other = await app.account("client");
    const [first = "", gone = "", ended = "", others = ""] = await insertHosts(app, [
      { name: "a" },
      { name: "b" },
      { name: "c" },
      { name: "d" },
    ]);
    for (const id of [first, gone, ended]) await assign(app, id, client.id);
    for (const id of [first, others]) await assign(app, id, other.id);
    await app.root.post("/api/hosts/unassign", { hostId: ended, userId: client.id });
    await app.database.query("update hosts set gone_at = 1 where id = $1", [gone]);
    for (const account of [app.root, admin]) {
      expect(idsOf(await account.get(`${PAGE}userId=${client.id}`))).toEqual([first, gone]);
      const { data } = await account.get(`/api/users?search=${client.username}`);
      expect(data.users).toMatchObject([{ id: client.id, hostCount: 2 }]);
    }
    expect(idsOf(await admin.get(`${PAGE}userId=${other.id}`))).toEqual([]);
    expect(idsOf(await app.root.get(`${PAGE}userId=${client.id}&gone=false`))).toEqual([first]);
    expect((await client.get(`${PAGE}userId=${client.id}`)).status).toBe(400);
  });

  it("does not match text that spans name and id", async () => {
    await insertHost(app, { name: "ends", ucloud_id: "uhost-1" });
    expect(idsOf(await app.root.get(`${PAGE}search=${encodeURIComponent("ends\nuhost")}`))).toEqual([]);
    const broken = await insertHost(app, { name: "two\nlines", ucloud_id: "uhost-2" });
    expect(idsOf(await app.root.get(`${PAGE}search=${encodeURIComponent("o\nL")}`))).toEqual([broken]);
  });

  it("filters by status and region for every role", async () => {
    const admin = await app.account("admin");
    const client = await app.account("client", { adminId: admin.id });
    const stopped = await insertHost(app, { name: "a", status: "Stopped", region: "hk" });
    const running = await insertHost(app, { name: "b", status: "Running", region: "hk" });
    const inOtherRegion = await insertHost(app, { name: "c", status: "Stopped", region: "sg" });
    for (const id of [stopped, running, inOtherRegion]) await assign(app, id, client.id);
    for (const account of [app.root, admin, client]) {
      expect(idsOf(await account.get(`${PAGE}status=Stopped`))).toEqual([stopped, inOtherRegion]);
      expect(idsOf(await account.get(`${PAGE}region=hk`))).toEqual([stopped, running]);
      const both = await account.get(`${PAGE}region=hk&status=Running`);
      expect([idsOf(both), both.data.pagination.total]).toEqual([[running], 1]);
    }
  });

  it("filters by configuration, assignment and expiry for the super admin", async () => {
    const configId = await app.config();
    const client = await app.account("client");
    const soon = await insertHost(app, { name: "a", expire_time: now() + 3 * DAY, config_id: configId });
    const later = await insertHost(app, { name: "b", expire_time: now() + 20 * DAY });
    const past = await insertHost(app, { name: "c", expire_time: now() - DAY });
    const never = await insertHost(app, { name: "d", expire_time: null });
    await assign(app, soon, client.id);
    await assign(app, later, client.id);
    await app.root.post("/api/hosts/unassign", { hostId: later, userId: client.id });
    for (const [query, hosts] of [
      [`configId=${configId}`, [soon]],
      ["assigned=true", [soon]],
      ["assigned=false", [later, past, never]],
      ["expiring=7", [soon]],
      ["expired=true", [past]],
      ["expired=false", [soon, later, never]],
      ["expiring=30&assigned=false", [later]],
    ] as const) {
      const answer = await app.root.get(PAGE + query);
      expect([query, idsOf(answer), answer.data.pagination.total]).toEqual([query, hosts, hosts.length]);
    }
  });

  it("rejects the super admin's filters for other roles", async () => {
    const admin = await app.account("admin");
    const client = await app.account("client");
    for (const account of [admin, client]) {
      for (const filter of [
        "gone=true",
        "gone=false",
        "assigned=true",
        "expiring=7",
        "expired=true",
        `configId=${admin.id}`,
      ]) {
        const answer = await account.get(PAGE + filter);
        expect([answer.status, answer.data.code]).toEqual([400, "INVALID_INPUT"]);
      }
    }
  });

  it("returns the last confirmation of a host by its own write or by a later read of its partition", async () => {
    const configId = await app.config();
    const id = await insertHost(app, { config_id: configId, changed_at: 1_780_000_000 });
    expect((await app.root.get(`/api/hosts/${id}`)).data.syncedAt).toBe(1_780_000_000);
    await app.database.query(
      "insert into sync_partitions (config_id, project_id, region, read_at) values ($1, 'org-1', 'cn-bj2', 1785000000)",
      [configId],
    );
    expect((await app.root.get(`/api/hosts/${id}`)).data).toMatchObject({ syncedAt: 1_785_000_000, configId });
  });
});
