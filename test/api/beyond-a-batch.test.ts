import { describe, expect, it } from "vitest";
import { createConsoleClient } from "../../src/sdk/index.ts";
import { useApp } from "../harness/app.ts";
import { idsOf, insertHosts, readPages } from "../harness/data.ts";

// Lists choose their way by how much there is, and calls go out in batches: the numbers here are one
// beyond those limits.

/** Up to which hosts that are alike are sorted by comparing names, and searched by their ids. */
const HOSTS = 1_000;
/** Up to which the requests that a search finds are read first. */
const REQUESTS = 2_000;
/** Calls in one request of the SDK. */
const CALLS = 20;

const app = useApp();

describe("one more host than are sorted by comparing names, all alike", () => {
  it.each(["name", "status", "zone", "cpu", "memory", "disk"])(
    "are listed by name, each once: %s",
    async (sort) => {
      const count = HOSTS + 1;
      const scattered = Array.from({ length: count }, (_, n) => ({
        name: `web-${(n * 37) % count}`,
      }));
      await insertHosts(app, scattered);

      const pages = await readPages(app.root, `/api/hosts?sort=${sort}&order=asc`, 100);

      const listed = pages.flatMap(({ data }) =>
        data.hosts.map(({ name }: { readonly name: string }) => name),
      );
      expect(listed).toEqual(scattered.map((_, n) => `web-${n}`));
    },
  );
});

describe("a search for requests by the names of their hosts", () => {
  it.each([
    ["as many hosts and requests as are searched by id", HOSTS, REQUESTS],
    ["one more host", HOSTS + 1, REQUESTS],
    ["one more request", HOSTS, REQUESTS + 1],
  ])("finds %s, each once, newest first", async (_what, hosts, requests) => {
    await insertHosts(app, [
      ...Array.from({ length: hosts }, (_, n) => ({ name: `web-${n}` })),
      { name: "db-1" },
    ]);
    const client = await app.account("client");
    const newestFirst = await insertRequests(client.id, requests);

    const first = await app.root.get("/api/renewals?search=web&limit=100");
    const last = await app.root.get(
      `/api/renewals?search=web&limit=100&page=${Math.ceil(requests / 100)}`,
    );

    expect(first.data.pagination.total).toBe(requests);
    expect(idsOf(first)).toEqual(newestFirst.slice(0, 100));
    expect(idsOf(last)).toEqual(newestFirst.slice(Math.floor((requests - 1) / 100) * 100));
  });
});

it("one call more than a request of the SDK takes is answered as well", async () => {
  const sdk = createConsoleClient({ url: app.url, token: app.root.token ?? "" });

  const answers = await Promise.all(
    Array.from({ length: CALLS + 1 }, () => sdk.api.auth.me.query()),
  );

  expect(answers.map(({ id }) => id)).toEqual(Array(CALLS + 1).fill(app.root.id));
  await sdk.close();
});

/**
 * Completed requests for the hosts named web-…, one after the other, and one for the other host.
 * What the requests themselves remember is not found by the name. Their ids, newest first.
 */
async function insertRequests(userId: string, count: number): Promise<string[]> {
  await app.database.query(
    `insert into assignments (id, host_id, user_id, user_name, user_username, assigned_at,
       assigned_expire_time, assigned_by, assigned_by_name, created_at)
     select gen_random_uuid(), h.id, u.id, u.name, u.username, 1700000000, 1900000000, u.id, '', 1700000000
     from hosts h, users u where u.id = $1`,
    [userId],
  );
  const rows = await app.database.query(
    `insert into renewals (id, assignment_id, host_id, user_id, user_name, user_username, host_name,
       host_cpu, host_memory, requested_duration, status, created_at, processed_at)
     select ('0198a000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, a.id, a.host_id, a.user_id,
       a.user_name, a.user_username, 'before', 4, 8192, 30, 'completed', 1700000000 + n, 1700000000 + n
     from generate_series(0, $1::int) n
     join (
       select a.*, h.name like 'web%' as is_meant, row_number() over (order by h.name) - 2 as number
       from assignments a join hosts h on h.id = a.host_id
     ) a on case when n = $1 then not a.is_meant
       else a.number = n % (select count(*) - 1 from hosts) end
     returning id, created_at`,
    [count],
  );
  return rows
    .toSorted((one, other) => Number(other.created_at) - Number(one.created_at))
    .slice(1)
    .map(({ id }) => String(id));
}
