import { beforeEach, describe, expect, it } from "vitest";
import { RenewalDecision } from "../../src/shared/renewals.ts";
import { type Account, useApp } from "../harness/app.ts";
import { assign, DAY, insertHost } from "../harness/data.ts";
import { decide, expiryOf, request, requestIn } from "../harness/renewals.ts";
import { atOnce, eachRound, onlyWinner, RACE_LIMIT } from "../harness/rounds.ts";

const app = useApp();
const DECIDED = [409, "STATE_CONFLICT"] as const;
let client: Account;
let second: Account;

beforeEach(async () => {
  client = await app.account("client");
  second = await app.account("super_admin");
});

/** Assigns a host to the client and returns its expiry. */
async function assignHost(): Promise<{ readonly hostId: string; readonly expiry: number }> {
  const hostId = await insertHost(app);
  const { assignedExpireTime } = await assign(app, hostId, client.id);
  return { hostId, expiry: assignedExpireTime };
}

/** Types of a request's events in order. */
async function eventsOf(id: string): Promise<unknown[]> {
  const sql = "select type from events where payload->>'renewalId' = $1 order by id";
  return (await app.database.query(sql, [id])).map(({ type }) => type);
}

/** Alternates between two super admins. */
function operator(index: number): { readonly root: Account } {
  return { root: index % 2 === 0 ? app.root : second };
}

describe("twenty concurrent callers", () => {
  it.each(RenewalDecision.options)(
    "decide a pending request as %s once, move the date at most once and publish one event",
    async (status) => {
      await eachRound(async () => {
        const { hostId, expiry } = await assignHost();
        const id = await request(client, hostId, 30);
        onlyWinner(await atOnce((index) => decide(operator(index), id, status)), DECIDED);
        expect((await client.get(`/api/renewals/${id}`)).data.status).toBe(status);
        expect(await expiryOf(app, hostId, client)).toBe(expiry + (status === "completed" ? 30 * DAY : 0));
        expect(await eventsOf(id)).toEqual(["renewal.created", "renewal.processed"]);
      });
    },
    RACE_LIMIT,
  );

  it(
    "decide and cancel the same request once, and the final state is the winner's",
    async () => {
      await eachRound(async (round) => {
        const { hostId, expiry } = await assignHost();
        const id = await request(client, hostId, 90);
        const winner = onlyWinner(
          await atOnce((index) =>
            (index + round) % 2 === 0 ? client.delete(`/api/renewals/${id}`) : decide(operator(round), id, "completed"),
          ),
          DECIDED,
        );
        const isCompleted = winner.data.status === "completed";
        const expectedEvent = isCompleted ? "renewal.processed" : "renewal.cancelled";
        expect((await app.root.get(`/api/renewals/${id}`)).data.status).toBe(isCompleted ? "completed" : "cancelled");
        expect(await expiryOf(app, hostId, client)).toBe(expiry + (isCompleted ? 90 * DAY : 0));
        expect(await eventsOf(id)).toEqual(["renewal.created", expectedEvent]);
      });
    },
    RACE_LIMIT,
  );

  it(
    "create one request for the same host and publish one event",
    async () => {
      await eachRound(async () => {
        const { hostId } = await assignHost();
        const { data } = onlyWinner(
          await atOnce((index) => client.post("/api/renewals", { hostId, requestedDuration: index + 1 })),
          [409, "CONFLICT"],
        );
        const rows = await app.database.query("select id, requested_duration from renewals where host_id = $1", [
          hostId,
        ]);
        expect(rows).toEqual([{ id: data.id, requested_duration: data.requestedDuration }]);
        expect(await eventsOf(data.id)).toEqual(["renewal.created"]);
      });
    },
    RACE_LIMIT,
  );

  it(
    "record the payment of one approved request and move the date once",
    async () => {
      await eachRound(async () => {
        const { hostId, expiry } = await assignHost();
        const id = await requestIn(app, { client, hostId }, "approved");
        onlyWinner(await atOnce((index) => decide(operator(index), id, "completed")), DECIDED);
        expect(await expiryOf(app, hostId, client)).toBe(expiry + 30 * DAY);
        expect(await eventsOf(id)).toEqual(["renewal.created", "renewal.processed", "renewal.processed"]);
      });
    },
    RACE_LIMIT,
  );

  it(
    "complete a request and end its assignment without extending an ended assignment",
    async () => {
      await eachRound(async (round) => {
        const { hostId, expiry } = await assignHost();
        const id = await request(client, hostId, 30);
        const answers = await atOnce((index) =>
          (index + round) % 2 === 0
            ? app.root.post("/api/hosts/unassign", { hostId, userId: client.id })
            : decide(operator(index), id, "completed"),
        );
        expect(answers.filter(({ data }) => data.users !== undefined)).toHaveLength(1);
        const { status } = (await app.root.get(`/api/renewals/${id}`)).data;
        expect(answers.filter((answer) => answer.data.status === "completed")).toHaveLength(
          status === "completed" ? 1 : 0,
        );
        expect(["completed", "cancelled"]).toContain(status);
        expect((await client.get(`/api/renewals/${id}`)).data.assignedExpireTime).toBe(
          expiry + (status === "completed" ? 30 * DAY : 0),
        );
      });
    },
    RACE_LIMIT,
  );
});
