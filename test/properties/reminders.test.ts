import fc from "fast-check";
import { v7 as newId } from "uuid";
import { expect, it } from "vitest";
import { parseLocalTime } from "../../src/shared/shanghai.ts";
import { DAY_SECONDS } from "../../src/shared/time.ts";
import { useApp, useTeam } from "../harness/app.ts";
import { fixedClock } from "../harness/clocks.ts";
import { decide, insertHosts, unassign } from "../harness/data.ts";
import { insertRows } from "../harness/database.ts";
import { runRemindersJob, saveReminderSettings } from "../harness/reminders.ts";
import { restoreSnapshot, takeSnapshot } from "../harness/snapshot.ts";
import { RemindersModel } from "./reminders-model.ts";

/** Multiplies the number of runs. */
const MORE_RUNS = Number(process.env.PROPERTY_RUNS ?? 1);
/** Unset: other days at every run. */
const SEED = process.env.PROPERTY_SEED;
const DAYS = 60;
const HOSTS = 8;
const FOREVER = 1_000_000_000;

/** In the morning of Shanghai, an hour before the time of the rules. */
const MORNING = parseLocalTime("2031-03-01T08:00") ?? Number.NaN;
const clock = fixedClock(MORNING);
const session = { ttl: FOREVER, idle: FOREVER };
const app = useApp({ overrides: { clock }, config: { session } });
const team = useTeam(app);

const host = fc.nat(HOSTS - 1);
const who = fc.constantFrom("client" as const, "otherClient" as const);
/** Until an end; with a part of a day, so that ends lie before and after the time of the rules. */
const seconds = fc
  .tuple(fc.integer({ min: 1, max: 12 }), fc.nat(86_399))
  .map(([days, part]) => days * DAY_SECONDS + part);
const anyAct = fc.oneof(
  { weight: 8, arbitrary: fc.record({ act: fc.constant("assign"), host, who, seconds }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant("unassign"), host, who }) },
  { weight: 3, arbitrary: fc.record({ act: fc.constant("request"), host, who }) },
  {
    weight: 3,
    arbitrary: fc.record({
      act: fc.constant("decide"),
      decision: fc.constantFrom("approved", "rejected", "completed"),
    }),
  },
  { weight: 1, arbitrary: fc.record({ act: fc.constant("toggleUser"), who: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant("toggleGone"), host }) },
  {
    weight: 3,
    arbitrary: fc.record({
      act: fc.constant("provider"),
      host,
      seconds,
      autoRenew: fc.constantFrom(true, false, null),
    }),
  },
);
type Act = typeof anyAct extends fc.Arbitrary<infer Value> ? Value : never;

const anyDay = fc.record({
  /** Nothing runs on this day. */
  isDown: fc.oneof(
    { weight: 5, arbitrary: fc.constant(false) },
    { weight: 1, arbitrary: fc.constant(true) },
  ),
  acts: fc.array(anyAct, { maxLength: 4 }),
  actsAfterwards: fc.array(anyAct, { maxLength: 1 }),
});
const anyDays = fc.noBias(fc.array(anyDay, { minLength: DAYS, maxLength: DAYS, size: "max" }));

it("over 60 days each mark that is due is told once to each recipient, and no other", {
  timeout: 240_000 * MORE_RUNS,
}, async () => {
  await saveReminderSettings(app, { assignmentMarks: [7, 3, 1, 0], hostMarks: [7, 3, 1, 0] });
  const hosts = await insertHosts(app, Array(HOSTS).fill({ expire_time: null }));
  const before = await takeSnapshot(app.database);

  const property = fc.asyncProperty(anyDays, async (days) => {
    clock.rewind();
    await restoreSnapshot(app.database, before);
    const model = new RemindersModel(app.root.id);

    for (const { isDown, acts, actsAfterwards } of days) {
      if (isDown) {
        clock.forward(DAY_SECONDS);
        continue;
      }
      await play(acts, hosts);
      await model.notice(app.database, clock.now());
      clock.forward(2 * 3_600);
      await runRemindersJob(app, clock);
      await model.look(app.database, clock.now());
      await play(actsAfterwards, hosts);
      await model.notice(app.database, clock.now());
      clock.forward(DAY_SECONDS - 2 * 3_600);
    }

    expect(model.told.length).toBeGreaterThan(DAYS);
    expect(await readLedger()).toEqual(model.told.toSorted());
  });
  const numRuns = Math.ceil(MORE_RUNS);
  await fc.assert(property, SEED === undefined ? { numRuns } : { numRuns, seed: Number(SEED) });
});

/** Some acts are refused: what became of them stands in the tables. */
async function play(acts: readonly Act[], hosts: readonly string[]): Promise<void> {
  for (const act of acts) await playOne(act, ("host" in act && hosts[act.host]) || "");
}

async function playOne(act: Act, hostId: string): Promise<void> {
  switch (act.act) {
    case "assign": {
      const assignedExpireTime = clock.now() + act.seconds;
      await app.root.post("/api/hosts/assign", {
        hostId,
        userId: team[act.who].id,
        assignedExpireTime,
      });
      return;
    }
    case "unassign":
      await unassign(app, hostId, team[act.who].id);
      return;
    case "request":
      await team[act.who].post("/api/renewals", { hostId, requestedDuration: 5 });
      return;
    case "decide": {
      const { data } = await app.root.get("/api/renewals?status=pending&limit=1");
      const { data: approved } = await app.root.get("/api/renewals?status=approved&limit=1");
      for (const { id } of [...data.requests, ...approved.requests]) {
        await decide(app, id, act.decision);
      }
      return;
    }
    case "toggleUser":
      await app.database.query("update users set is_active = not is_active where id = $1", [
        act.who ? team.client.id : team.otherAdmin.id,
      ]);
      return;
    case "toggleGone":
      await app.database.query(
        "update hosts set gone_at = case when gone_at is null then 1 end where id = $1",
        [hostId],
      );
      return;
    case "provider":
      await readFromProvider(hostId, clock.now() + act.seconds, act.autoRenew);
      return;
  }
}

/** As a sync writes it, with its entry in the history. */
async function readFromProvider(hostId: string, to: number, autoRenew: boolean | null) {
  await app.database.query("update hosts set expire_time = $2, auto_renew = $3 where id = $1", [
    hostId,
    to,
    autoRenew,
  ]);
  await insertRows(app.database, "host_changes", [
    {
      id: newId({ msecs: clock.now() * 1_000 }),
      host_id: hostId,
      kind: "changed",
      at: clock.now(),
      changes: [{ field: "expireTime", from: null, to }],
    },
  ]);
}

async function readLedger(): Promise<string[]> {
  const rows = await app.database.query(
    `select concat_ws(' ', recipient_id, coalesce(assignment_id, host_id), expire_time, mark) as line
     from reminder_hosts`,
  );
  return rows.map(({ line }) => String(line)).toSorted();
}
