import { expect } from "vitest";
import { isLiveSync, MASS_REMOVAL, SyncRun } from "../../../src/shared/sync.ts";
import type { TestApp } from "../../harness/app.ts";
import { assign } from "../../harness/data.ts";
import type { StillClock } from "../../harness/fixed-clock.ts";
import {
  expectGoodEnding,
  expectGoodTelling,
  expectNothingLost,
  expectTheTruth,
  expectTrueCounts,
  type Look,
} from "./promises.ts";
import { openProvider, type Provider } from "./provider.ts";
import { isUntold, type Round, type Story } from "./script.ts";
import { emptyTables, readTable, toldOf } from "./table.ts";

/** For a run, in ms, with limits that make calls fail soon. */
const RUN_LIMIT = 25_000;
/** Longer than an empty partition holds its hosts, in seconds. */
const HOLD = 700;

export interface Stage {
  readonly app: TestApp;
  readonly clock: StillClock;
  /** A client, who gets hosts. */
  readonly clientId: string;
}

/** Plays a story from an empty table to its end, where the provider is well again, and holds the console to its promises all the time. */
export async function tell(stage: Stage, { hosts, rounds }: Story): Promise<void> {
  const { app, clock, clientId } = stage;
  clock.rewind();
  app.simulator.control.reset();
  await emptyTables(app.database);
  await app.config();
  const provider = openProvider(app.simulator, hosts);
  for (const [index, round] of rounds.entries()) {
    provider.trouble([]);
    for (const change of round.changes) provider.change(change);
    clock.forward(round.forward);
    if (round.refreshed > 0) await refresh(stage, provider, round.refreshed);
    provider.trouble(round.troubles);
    await sync(stage, provider, round);
    if (index === 0) await handOut(app, clientId);
  }
  provider.heal();
  await convergence(stage, provider);
}

async function look({ app }: Stage, provider: Provider): Promise<Look> {
  return {
    table: await readTable(app.database),
    existing: provider.existing(),
    findable: provider.findable(),
  };
}

const CALM: Pick<Round, "troubles" | "during"> = { troubles: [], during: null };

async function sync(stage: Stage, provider: Provider, { troubles, during } = CALM): Promise<SyncRun> {
  const { app } = stage;
  const before = await look(stage, provider);
  const started = performance.now();
  const id = await start(stage, provider, during);
  const run = SyncRun.parse((await app.root.get(`/api/hosts/sync-runs/${id}`)).data);
  expect(performance.now() - started).toBeLessThan(RUN_LIMIT);
  const after = await look(stage, provider);
  expectNothingLost(before, after);
  expectTrueCounts(run, before, after);
  expectGoodEnding(run);
  expectGoodTelling(await toldOf(app.database, id), run);
  if (run.status === "succeeded") {
    expectTheTruth(
      before,
      after,
      troubles.some(({ rule }) => isUntold(rule)),
    );
  }
  return run;
}

/** From start to end; @returns the run's id. */
async function start({ app }: Stage, provider: Provider, during: Round["during"]): Promise<string> {
  const { control } = app.simulator;
  if (during === null) return (await app.root.post("/api/hosts/sync?wait=25")).data.runs[0].id;
  control.hold({ action: "DescribeUHostInstance", nth: during.nth });
  const over = new AbortController();
  const held = control.waitForHeld(1, over.signal).catch(() => undefined);
  const { id } = (await app.root.post("/api/hosts/sync?wait=0")).data.runs[0];
  const ended = untilEnded(app, id).finally(() => over.abort());
  await held;
  // The run may have come to its end before so many calls.
  if (over.signal.aborted) control.release();
  else await interfere(app, provider, { act: during.act, id });
  await ended;
  return id;
}

async function interfere(
  { root, simulator: { control } }: TestApp,
  provider: Provider,
  { act, id }: { readonly act: NonNullable<Round["during"]>["act"]; readonly id: string },
): Promise<void> {
  if (act === "cancel") await root.post(`/api/hosts/sync-runs/${id}/cancel`);
  else provider.change(act);
  control.release();
}

async function untilEnded({ root }: TestApp, id: string): Promise<void> {
  const isOver = async () => !isLiveSync((await root.get(`/api/hosts/sync-runs/${id}`)).data.status);
  await expect.poll(isOver, { timeout: RUN_LIMIT, interval: 30 }).toBe(true);
}

/** The first few go to a client, for as long as the story lasts. */
async function handOut(app: TestApp, clientId: string): Promise<void> {
  const rows = await app.database.query("select id from hosts order by ucloud_id limit 3");
  for (const { id } of rows) await assign(app, String(id), clientId);
}

/** Asks for some hosts by themselves. */
async function refresh(stage: Stage, provider: Provider, count: number): Promise<void> {
  const { app } = stage;
  const before = await look(stage, provider);
  const hostIds = [...before.table.values()].slice(0, count).map(({ id }) => id);
  if (hostIds.length === 0) return;
  const answer = await app.root.post("/api/hosts/batch", { operation: "sync", hostIds });
  expect(answer.status).toBe(200);
  expect(answer.data.results).toHaveLength(hostIds.length);
  expectNothingLost(before, await look(stage, provider));
}

/** Once the provider works, two syncs correct the table, except for a mass removal; confirming that does the rest. */
async function convergence(stage: Stage, provider: Provider): Promise<void> {
  const before = await look(stage, provider);
  await sync(stage, provider);
  stage.clock.forward(HOLD);
  let run = await sync(stage, provider);
  for (let batches = 0; run.errors.some(({ code }) => code === MASS_REMOVAL); batches += 1) {
    expect(batches).toBeLessThan(20);
    await confirmMissing(stage, provider);
    run = await sync(stage, provider);
  }
  expect(run).toMatchObject({ status: "succeeded", errors: [] });
  expectTheTruth(before, await look(stage, provider), false);
}

/** Does what the error says: refreshes the missing hosts, at most 30 % of all hosts and 100 at a time. */
async function confirmMissing(stage: Stage, provider: Provider): Promise<void> {
  const { table, existing } = await look(stage, provider);
  const present = [...table.values()].filter(({ gone }) => !gone);
  const most = Math.min(100, Math.max(4, Math.floor(present.length * 0.3)));
  const missing = present.filter(({ ucloud_id }) => !existing.has(ucloud_id));
  const hostIds = missing.slice(0, most).map(({ id }) => id);
  const { results } = (await stage.app.root.post("/api/hosts/batch", { operation: "sync", hostIds })).data;
  expect(results.filter(({ ok }: { ok: boolean }) => !ok)).toEqual([]);
}
