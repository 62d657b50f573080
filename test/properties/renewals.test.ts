import fc from "fast-check";
import { beforeEach, expect, it } from "vitest";
import type { RenewalDecision } from "../../src/shared/renewals.ts";
import { DAY_SECONDS } from "../../src/shared/time.ts";
import { type Account, useApp } from "../harness/app.ts";
import { fixedClock } from "../harness/clocks.ts";
import { decide, insertHosts, unassign } from "../harness/data.ts";
import type { RestAnswer } from "../harness/rest.ts";
import { restoreSnapshot, type Snapshot, takeSnapshot } from "../harness/snapshot.ts";
import { RenewalsModel } from "./renewals-model.ts";

/** Multiplies the number of runs. */
const MORE_RUNS = Number(process.env.PROPERTY_RUNS ?? 1);
/** Unset: other actions at every run. */
const SEED = process.env.PROPERTY_SEED;
const FOREVER = 1_000_000_000;
const clock = fixedClock();
const app = useApp({ overrides: { clock }, config: { session: { ttl: FOREVER, idle: FOREVER } } });

const host = fc.nat(1);
const request = fc.nat(15);
const days = fc.constantFrom(1, 30, 365);
const seconds = fc.constantFrom(1, 300, 600, DAY_SECONDS, 29 * DAY_SECONDS);
const start = fc.constantFrom(-40 * DAY_SECONDS, -DAY_SECONDS, 0, 0, 1);
const length = fc.constantFrom(DAY_SECONDS, 30 * DAY_SECONDS, 365 * DAY_SECONDS);
const decision = fc.constantFrom<RenewalDecision>(
  "approved",
  "approved",
  "completed",
  "completed",
  "rejected",
);
const anyAction = fc.oneof(
  { weight: 5, arbitrary: fc.record({ call: fc.constant("assign"), host, start, length }) },
  { weight: 1, arbitrary: fc.record({ call: fc.constant("unassign"), host }) },
  { weight: 9, arbitrary: fc.record({ call: fc.constant("request"), host, days }) },
  { weight: 8, arbitrary: fc.record({ call: fc.constant("decide"), request, decision }) },
  { weight: 2, arbitrary: fc.record({ call: fc.constant("cancel"), request }) },
  { weight: 5, arbitrary: fc.record({ call: fc.constant("undo"), request }) },
  { weight: 2, arbitrary: fc.record({ call: fc.constant("forward"), seconds }) },
);
type Action = typeof anyAction extends fc.Arbitrary<infer Value> ? Value : never;
// Without the library's bias for short sequences, which rarely reach an interesting state.
const anySequence = fc.noBias(fc.array(anyAction, { minLength: 1, maxLength: 40, size: "max" }));

let client: Account;
let hosts: readonly string[];
let before: Snapshot;

beforeEach(async () => {
  client = await app.account("client");
  hosts = await insertHosts(app, [{}, {}]);
  before = await takeSnapshot(app.database);
});

it("after any sequence of acts, answers, states and dates are those of the model", {
  timeout: 120_000 * MORE_RUNS,
}, async () => {
  const property = fc.asyncProperty(anySequence, async (actions) => {
    clock.rewind();
    await restoreSnapshot(app.database, before);
    await app.database.query("delete from events");
    const model = new RenewalsModel(clock.now);
    for (const action of actions) await play(model, action);
    await expectSameState(model);
  });
  const numRuns = Math.ceil(15 * MORE_RUNS);
  await fc.assert(property, SEED === undefined ? { numRuns } : { numRuns, seed: Number(SEED) });
});

/** Makes the call, and expects the model's verdict. */
async function play(model: RenewalsModel, action: Action): Promise<void> {
  const check = (answer: RestAnswer, verdict: string) =>
    expect(answer.status < 300 ? "OK" : answer.data.code, JSON.stringify(action)).toBe(verdict);
  const hostId = hosts["host" in action ? action.host : 0] ?? "";
  const request =
    "request" in action ? model.requests[action.request % model.requests.length] : undefined;
  switch (action.call) {
    case "assign": {
      const from = clock.now() + action.start;
      const to = from + action.length;
      const input = { hostId, userId: client.id, assignedAt: from, assignedExpireTime: to };
      return check(
        await app.root.post("/api/hosts/assign", input),
        model.assign(hostId, { from, to }),
      );
    }
    case "unassign":
      return check(await unassign(app, hostId, client.id), model.unassign(hostId));
    case "request": {
      const answer = await client.post("/api/renewals", { hostId, requestedDuration: action.days });
      return check(answer, model.request(hostId, { days: action.days, id: answer.data.id }));
    }
    case "decide":
      if (request === undefined) return;
      return check(
        await decide(app, request.id, action.decision),
        model.decide(request, action.decision),
      );
    case "cancel":
      if (request === undefined) return;
      return check(await client.delete(`/api/renewals/${request.id}`), model.cancel(request));
    case "undo":
      if (request === undefined) return;
      return check(
        await app.root.post(`/api/renewals/${request.id}/undo`, {}),
        model.undo(request),
      );
    case "forward":
      return clock.forward(action.seconds);
  }
}

/**
 * The client's periods, the requests with their ends, and one event for each request and one for
 * its decision or end.
 */
async function expectSameState(model: RenewalsModel): Promise<void> {
  for (const id of hosts) {
    const current = model.current(id);
    const periods =
      current === undefined ? [] : [{ assignedAt: current.from, assignedExpireTime: current.to }];
    expect((await app.root.get(`/api/hosts/${id}`)).data.users).toMatchObject(periods);
  }
  const requests = model.requests.map(({ id, assignment, days, status, processedAt }) => ({
    id,
    host: { id: assignment.hostId },
    requestedDuration: days,
    status,
    processedAt,
    processedBy: processedAt === null || status === "cancelled" ? null : { id: app.root.id },
    assignedExpireTime: assignment.to,
  }));
  const listed = await app.root.get("/api/renewals?limit=100");
  expect(listed.data.requests).toMatchObject(requests.toReversed());
  const events = await app.database.query(
    `select payload->>'renewalId' as id, array_agg(type order by id) as events from events
     where type like 'renewal.%' group by 1 order by min(id)`,
  );
  expect(events).toEqual(model.requests.map(({ id, events }) => ({ id, events })));
}
