import { beforeEach, describe, expect, it } from "vitest";
import { type Account, useApp } from "../harness/app.ts";
import { assign, insertHost, now } from "../harness/data.ts";

const app = useApp();
let admin: Account;
let client: Account;
let host: string;

beforeEach(async () => {
  admin = await app.account("admin");
  client = await app.account("client", { adminId: admin.id });
  const [config] = await app.database.query(
    `insert into configs (id, name, public_key, private_key_sealed, api_url, default_region, created_at)
     values (gen_random_uuid(), '主账号', 'key', '', 'https://api.example.com', 'cn-bj2', 1700000000) returning id`,
  );
  host = await insertHost(app, { name: "web-1", config_id: config?.id });
  await assign(app, host, client.id);
});

/** Reads the list three times for each role. */
async function lists() {
  const answers = [];
  for (const account of [app.root, admin, client]) {
    for (let count = 0; count < 3; count++) answers.push(await account.get("/api/hosts?limit=10"));
  }
  return answers.map(({ data }) => data.hosts);
}

/** Writes of another replica; `$1` is the host. */
const WRITES: readonly (readonly [what: string, write: string, seen: object])[] = [
  ["a host", "update hosts set name = 'web-2' where id = $1", { name: "web-2" }],
  [
    "a read of its partition",
    `insert into sync_partitions (config_id, project_id, region, read_at)
     select config_id, project_id, region, 2000000000 from hosts where id = $1`,
    { syncedAt: 2_000_000_000 },
  ],
  [
    "an assignment",
    "update assignments set assigned_expire_time = 2000000000 where host_id = $1",
    { users: [expect.objectContaining({ assignedExpireTime: 2_000_000_000 })] },
  ],
  [
    "a user",
    "update users u set name = '乙公司' from assignments a where a.host_id = $1 and u.id = a.user_id",
    { users: [expect.objectContaining({ name: "乙公司" })] },
  ],
];

describe("a host list that was read before", () => {
  it.each(WRITES)("shows at the next call that %s was written", async (_what, write, seen) => {
    const before = await lists();
    expect(before.map((hosts) => hosts.length)).toEqual(Array(9).fill(1));
    await app.database.query(write, [host]);
    for (const hosts of await lists()) expect(hosts).toEqual([expect.objectContaining(seen)]);
  });

  it("shows a changed setting to the affected users at once", async () => {
    const addresses = async () => (await lists()).map(([{ ipSet }]) => ipSet.length);
    expect(await addresses()).toEqual([2, 2, 2, 2, 2, 2, 0, 0, 0]);
    await app.database.query("update settings set show_network_info_to_client = true");
    expect(await addresses()).toEqual(Array(9).fill(2));
  });

  it("hides a host from users who lost access to it", async () => {
    await lists();
    await app.database.query("update assignments set ended_at = $2 where host_id = $1", [host, now()]);
    expect((await lists()).map((hosts) => hosts.length)).toEqual([1, 1, 1, 0, 0, 0, 0, 0, 0]);
  });

  it("returns different hosts for different filters", async () => {
    await insertHost(app, { name: "web-0", status: "Stopped" });
    const namesFor = async (query: string) =>
      (await app.root.get(`/api/hosts?${query}`)).data.hosts.map(({ name }: { readonly name: string }) => name);
    for (let count = 0; count < 2; count++) {
      expect(await namesFor("")).toEqual(["web-0", "web-1"]);
      expect(await namesFor("search=web-0")).toEqual(["web-0"]);
      expect(await namesFor("status=Running")).toEqual(["web-1"]);
      expect(await namesFor("limit=1&page=2")).toEqual(["web-1"]);
      expect(await namesFor("limit=1")).toEqual(["web-0"]);
    }
  });
});
