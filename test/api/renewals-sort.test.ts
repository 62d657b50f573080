import { beforeEach, describe, expect, it } from "vitest";
import type { Renewal } from "../../src/shared/renewals.ts";
import { type Account, useApp } from "../harness/app.ts";
import { assign, DAY, insertHost, now } from "../harness/data.ts";
import { idsOf, request } from "../harness/renewals.ts";

const app = useApp();
let admin: Account;
let client: Account;

beforeEach(async () => {
  admin = await app.account("admin");
  client = await app.account("client", { adminId: admin.id });
});

/** Creates requests in order, for hosts assigned for the given days. */
async function requestsFor(days: readonly number[]): Promise<string[]> {
  const ids: string[] = [];
  const start = now();
  for (const left of days) {
    const hostId = await insertHost(app, { expire_time: 2_000_000_000 - ids.length * DAY });
    await assign(app, hostId, client.id, { to: start - now() + left * DAY });
    ids.push(await request(client, hostId));
  }
  return ids;
}

async function pagesOf(account: Account, query: string): Promise<string[]> {
  const ids: string[] = [];
  for (let page = 1; ; page++) {
    const answer = await account.get(`/api/renewals?${query}&limit=2&page=${page}`);
    ids.push(...idsOf(answer));
    if (page >= answer.data.pagination.totalPages) return ids;
  }
}

describe("the order of renewal requests", () => {
  it("sorts by request time or client expiry over all pages, the same for every caller", async () => {
    const ids = await requestsFor([20, 5, 200, 5, 3]);
    const [twenty, five, years, alsoFive, three] = ids;
    for (const account of [app.root, admin, client]) {
      expect(await pagesOf(account, "sort=createdAt&order=asc")).toEqual(ids);
      expect(await pagesOf(account, "sort=createdAt&order=desc")).toEqual(ids.toReversed());
      expect(await pagesOf(account, "sort=expireTime&order=asc")).toEqual([three, alsoFive, five, twenty, years]);
      expect(await pagesOf(account, "sort=expireTime&order=desc")).toEqual([years, twenty, alsoFive, five, three]);
    }
  });

  it("sorts newest first by default", async () => {
    const ids = await requestsFor([5, 20, 3]);
    for (const query of ["", "sort=createdAt", "order=desc"]) {
      expect(idsOf(await app.root.get(`/api/renewals?${query}`))).toEqual(ids.toReversed());
    }
    expect(idsOf(await app.root.get("/api/renewals?order=asc"))).toEqual(ids);
  });

  it("sorts within the status filter, so one row shows the oldest pending request", async () => {
    const [first = "", second = ""] = await requestsFor([5, 20, 3]);
    await client.delete(`/api/renewals/${first}`);
    const answer = await app.root.get("/api/renewals?status=pending&order=asc&limit=1");
    expect([idsOf(answer), answer.data.pagination.total]).toEqual([[second], 2]);
  });

  it("follows a changed expiry of the client's assignment", async () => {
    const [first, second] = await requestsFor([5, 20]);
    const { data } = await app.root.get("/api/renewals?sort=expireTime&order=asc");
    expect(data.requests.map(({ id }: Renewal) => id)).toEqual([first, second]);
    await assign(app, data.requests[0].host.id, client.id, { to: 40 * DAY });
    expect(idsOf(await app.root.get("/api/renewals?sort=expireTime&order=asc"))).toEqual([second, first]);
  });

  it("rejects an unknown order with 400 and a message for every role", async () => {
    for (const account of [app.root, admin, client]) {
      for (const [field, query, message] of [
        ["sort", "sort=", "不支持按该字段排序"],
        ["sort", "sort=assignedExpireTime", "不支持按该字段排序"],
        ["sort", "sort=id;drop%20table%20renewals", "不支持按该字段排序"],
        ["order", "order=ASC", "排序方向只能是 asc 或 desc"],
        ["sort", "sort=createdAt&sort=expireTime", "参数 sort 重复"],
      ] as const) {
        const { status, body } = await account.get(`/api/renewals?${query}`);
        expect([query, status, body]).toMatchObject([
          query,
          400,
          { code: "INVALID_INPUT", errors: [{ field, message }] },
        ]);
      }
    }
  });
});
