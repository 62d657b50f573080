import { expect, test, vi } from "vitest";
import { DAY_SECONDS as DAY } from "../../src/shared/time.ts";
import { startServer } from "../harness/programs.ts";
import type { RestClient } from "../harness/rest.ts";
import { ROOT_USER, signIn, TEST_LIMIT } from "../harness/stage.ts";
import { openTestStorage, type TestStorage } from "../harness/storage.ts";

vi.setConfig({ testTimeout: TEST_LIMIT });

const ZONES = ["Asia/Shanghai", "America/New_York"];
/** Ends of days, months and years somewhere, and both changes of New York's clocks. */
const MOMENTS = [
  "2026-12-31T16:00:00Z",
  "2027-01-31T15:59:59Z",
  "2027-02-28T16:00:00Z",
  "2028-02-28T16:00:00Z",
  "2028-03-01T04:59:00Z",
  "2027-03-14T06:59:00Z",
  "2027-03-14T07:00:00Z",
  "2027-11-07T05:30:00Z",
  "2027-11-07T06:30:00Z",
  "2027-11-07T07:30:00Z",
  "2027-01-01T00:00:00Z",
];
const ADMIN = { ADMIN_USERNAME: ROOT_USER.username, ADMIN_PASSWORD: ROOT_USER.password, LOG_LEVEL: "warn" };
const CLIENT = { username: "zhang_san", password: ROOT_USER.password };

test("the server answers the same JSON in every time zone", async () => {
  await using storage = await openTestStorage({ server: null });
  const at = Math.floor(Date.now() / 1000);
  const observed: unknown[] = [];
  for (const zone of ZONES) {
    await using server = await startServer({ ...storage.env, ...ADMIN, TZ: zone });
    const root = await signIn(server.url);
    if (observed.length === 0) await handOut(root, storage, at);
    observed.push(await readAll(root, await signIn(server.url, CLIENT)));
  }
  expect(observed[1]).toEqual(observed[0]);
});

/** A host for each moment, ending then, and some around the borders of now. */
async function handOut(root: RestClient, storage: TestStorage, at: number): Promise<void> {
  const { data: client } = await root.post("/api/users", { ...CLIENT, name: "张三", role: "client" });
  const ends = [
    ...MOMENTS.map((moment) => Date.parse(moment) / 1000),
    at - 3600,
    at + 7 * DAY - 3600,
    at + 7 * DAY + 3600,
  ];
  for (const end of ends) {
    const name = `主机 ${end}`;
    const [host] = await storage.query(
      `insert into hosts (id, ucloud_id, region, zone, name, cpu, memory, disk, os_name, os_type, status, provider_status,
         charge_type, create_time, expire_time, ip_set, changed_at)
       values (gen_random_uuid(), $1, 'cn-bj2', 'cn-bj2-05', $1, 4, 8192, 120, '', 'Linux', 'Running', 'Running',
         'Month', 1700000000, $2, '[]', 1700000000) returning id`,
      [name, end],
    );
    const period = { assignedAt: end - 365 * DAY, assignedExpireTime: end };
    const answer = await root.post("/api/hosts/assign", { hostId: host?.id, userId: client.id, ...period });
    expect([name, answer.status, answer.data.users?.[0]]).toMatchObject([name, 200, period]);
  }
}

/** What is the same whenever it is read. */
async function readAll(root: RestClient, client: RestClient): Promise<unknown[]> {
  const search = `limit=100&search=${encodeURIComponent("主机 ")}`;
  const paths = [`/api/hosts?${search}`, `/api/hosts?expiring=7&${search}`, `/api/hosts?expired=true&${search}`];
  const [all, soon, ...rest] = await Promise.all([
    ...paths.map((path) => root.get(path)),
    root.get("/api/hosts/summary"),
    client.get(`/api/hosts?${search}`),
    client.get("/api/hosts/summary"),
  ]);
  expect(all?.data.hosts).toHaveLength(MOMENTS.length + 3);
  expect(soon?.data.hosts).toHaveLength(1);
  return [all, soon, ...rest].map((answer) => answer?.data);
}
