import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { appRouter } from "../../src/server/app-router.ts";
import { restProcedures } from "../../src/server/platform/http/rest/routes.ts";
import { silentLog } from "../harness/silent-log.ts";
import { callRest, procedureOf } from "../harness/transports.ts";
import { LIVE } from "./callers.ts";
import { buildFixture, type Fixture } from "./fixture.ts";
import { TABLE } from "./table.ts";

const ON_SEVERAL_ROWS = [
  "hosts.batch",
  "hosts.confirmRemovals",
  "hosts.dismissRemovals",
  "renewals.createBatch",
  "renewals.processBatch",
  "reminders.send",
  "users.import",
  "assignments.import",
];

/** What goes wrong is their answer. */
const TESTS = ["configs.test", "noticeChannels.test"];

const MUTATIONS = restProcedures(appRouter)
  .filter(({ type }) => type === "mutation")
  .map(({ path }) => path);

const ON_ONE_ROW = TABLE.filter(({ call }) => MUTATIONS.includes(call))
  .filter(({ call }) => ![...ON_SEVERAL_ROWS, ...TESTS].includes(call))
  .flatMap((row) => {
    const [actor] = LIVE.map(([who]) => who).filter((who) => row.expected[who] === "ok");
    return actor === undefined ? [] : [{ row, name: `${row.call}, ${row.on}`, actor }];
  });

type Case = (typeof ON_ONE_ROW)[number];

/**
 * Each act fails as late as it can, when it records itself: what it does not name then, it names in
 * no refusal.
 */
describe("the entry of a mutation that fails", () => {
  let fixture: Fixture;

  beforeAll(async () => {
    fixture = await buildFixture({ log: silentLog });
    await fixture.app.database.query(`
      create function refuse_entry() returns trigger language plpgsql
      as $$ begin raise exception 'no entry can be written'; end $$`);
  });
  afterAll(() => fixture[Symbol.asyncDispose]());
  beforeEach(() => fixture.restore());

  it.each(ON_ONE_ROW)("names what a success names: $name", async (mutation) => {
    await mutation.row.prepare?.(fixture);

    const failed = await refusingEntries(() => subjectOfCall(mutation, "failed"));
    const done = await subjectOfCall(mutation, "ok");

    // Nobody knows a row before it is made.
    const expected = idsOfWorld().includes(done) ? done : "nothing";
    expect(failed).toBe(expected);
  });

  async function subjectOfCall({ row, actor }: Case, outcome: string): Promise<string> {
    const [newest] = await query("select coalesce(max(seq), 0)::int as seq from audit_entries");

    await callRest(fixture.url, {
      procedure: procedureOf(row.call),
      input: row.input(fixture, actor),
      token: fixture.people[actor].token,
    });

    const entries = await query(
      `select coalesce(subject_id::text, 'nothing') as subject from audit_entries
       where seq > ${Number(newest?.seq)} and outcome = '${outcome}' and action = '${row.call}'`,
    );
    expect(entries).toHaveLength(1);
    return String(entries[0]?.subject);
  }

  async function refusingEntries<Result>(act: () => Promise<Result>): Promise<Result> {
    await query(`
      create trigger refuse_entry before insert on audit_entries
      for each row when (new.outcome = 'ok') execute function refuse_entry()`);
    try {
      return await act();
    } finally {
      await query("drop trigger refuse_entry on audit_entries");
    }
  }

  function idsOfWorld(): string[] {
    const rows = [...fixture.rows.values(), ...Object.values(fixture.people)];
    return rows.map(({ id }) => id);
  }

  function query(text: string) {
    return fixture.app.database.query(text);
  }
});
