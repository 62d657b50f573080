import { beforeEach, describe, expect, it } from "vitest";
import { RENEWAL_LIMIT } from "../../src/shared/renewals.ts";
import type { Account } from "../harness/app.ts";
import { useApp } from "../harness/app.ts";
import { fixedClock } from "../harness/clocks.ts";
import { insertHosts, requestRenewal } from "../harness/data.ts";
import { insertRows } from "../harness/database.ts";

const clock = fixedClock();
const app = useApp({
  overrides: { clock },
  config: { session: { ttl: 1_000_000_000, idle: 1_000_000_000 } },
});
const HOUR = 3600;
let client: Account;
let hosts: readonly string[];

beforeEach(async () => {
  clock.rewind();
  client = await app.account("client");
  hosts = await insertHosts(app, Array<object>(3).fill({}));
  for (const hostId of hosts) {
    const period = { assignedAt: clock.now(), assignedExpireTime: clock.now() + 300 * 86_400 + 17 };
    await app.root.post("/api/hosts/assign", { hostId, userId: client.id, ...period });
  }
});

const request = (hostId = "") => client.post("/api/renewals", { hostId, requestedDuration: 30 });

/** Requests that the client has made and withdrawn, each so many seconds ago. */
async function insertWithdrawn(ages: readonly number[]): Promise<void> {
  const id = await requestRenewal(client, hosts[0] ?? "");
  await client.delete(`/api/renewals/${id}`);
  const [row = {}] = await app.database.query("select * from renewals where id = $1", [id]);
  await app.database.query("delete from renewals");
  const copies = ages.map((age, index) => ({
    ...row,
    id: `0198a000-0000-7000-8000-${String(index).padStart(12, "0")}`,
    created_at: clock.now() - age,
  }));
  if (copies.length > 0) await insertRows(app.database, "renewals", copies);
}

describe("the requests of a client within a day", () => {
  it("are 50 at most, withdrawn ones counted, within a day of the first", async () => {
    await insertWithdrawn(
      Array.from({ length: RENEWAL_LIMIT.max }, (_, index) => 5 * HOUR + index),
    );

    const refused = await request(hosts[0]);

    expect([refused.status, refused.data.code]).toEqual([429, "TOO_MANY_REQUESTS"]);
    expect(refused.headers.get("retry-after")).toBe(String(19 * HOUR - (RENEWAL_LIMIT.max - 1)));
    clock.forward(19 * HOUR);
    expect((await request(hosts[0])).status).toBe(201);
  });

  it("do not include those of earlier days, nor those of other clients", async () => {
    await insertWithdrawn(
      Array.from({ length: RENEWAL_LIMIT.max + 9 }, (_, index) => 24 * HOUR + index),
    );
    const other = await app.account("client");
    await app.database.query("update renewals set user_id = $1, created_at = $2 where id < $3", [
      other.id,
      clock.now() - 1,
      "0198a000-0000-7000-8000-000000000009",
    ]);

    expect((await request(hosts[0])).status).toBe(201);
  });

  it("do not include those that a clock which was ahead has dated", async () => {
    await insertWithdrawn(Array.from({ length: RENEWAL_LIMIT.max }, () => -8 * HOUR));

    expect((await request(hosts[0])).status).toBe(201);
  });

  it("are counted for each host of a batch", async () => {
    await insertWithdrawn(Array.from({ length: RENEWAL_LIMIT.max - 2 }, () => HOUR));

    const { data } = await client.post("/api/renewals/batch", {
      hostIds: hosts,
      requestedDuration: 30,
    });

    expect(data.results).toMatchObject([
      { ok: true },
      { ok: true },
      { ok: false, code: "TOO_MANY_REQUESTS" },
    ]);
  });
});
