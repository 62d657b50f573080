import { expect, test } from "vitest";
import { insertRun } from "../../harness/data.ts";
import { within } from "../../harness/time-limits.ts";
import { useSync } from "../../sync/sync-fixture.ts";

/** From the contract, in ms. */
const FREED_LIMIT = { timeout: within(60_000) };

const { app, run, start, end } = useSync();

test("a run that cannot be claimed at first is executed all the same", async () => {
  const configId = await app.config();
  await refuseClaims(4);

  try {
    const id = await start(configId);
    await expect.poll(() => run(id), FREED_LIMIT).toMatchObject({ finishedAt: expect.any(Number) });
    expect(await run(id)).toMatchObject({ status: "succeeded", hostsSeen: 60 });
  } finally {
    await acceptClaims();
  }
});

test("a queued run without a job is interrupted within a minute", async () => {
  const configId = await app.config();
  const lost = await insertRun(app, configId, { status: "queued" });
  expect(await start(configId)).toBe(lost);

  await expect.poll(() => run(lost), FREED_LIMIT).toMatchObject({ status: "interrupted" });

  const next = await start(configId);
  expect(next).not.toBe(lost);
  expect(await end(next)).toMatchObject({ status: "succeeded" });
});

/**
 * The next changes of a queued run fail, as when its row is locked for longer than a statement
 * waits.
 */
async function refuseClaims(count: number): Promise<void> {
  await app.database.query("create sequence claims");
  await app.database.query(`
    create function refuse_claim() returns trigger language plpgsql as $$
    begin
      -- A sequence keeps its count when the transaction is rolled back.
      if nextval('claims') <= ${count} then raise lock_not_available; end if;
      return new;
    end $$`);
  await app.database.query(`
    create trigger refuse_claim before update on sync_runs
    for each row when (old.status = 'queued') execute function refuse_claim()`);
}

async function acceptClaims(): Promise<void> {
  await app.database.query("drop function refuse_claim cascade");
  await app.database.query("drop sequence claims");
}
