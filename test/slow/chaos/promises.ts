import { expect } from "vitest";
import type { SyncRun } from "../../../src/shared/sync.ts";
import type { HostRecord } from "../../../src/simulator/generate-host.ts";
import type { HostRow, Table, ToldRun } from "./table.ts";

/** What was so before and after something was done; what changed in the middle is known at neither moment. */
export interface Look {
  readonly table: Table;
  readonly existing: ReadonlyMap<string, HostRecord>;
  readonly findable: ReadonlySet<string>;
}

/** Whatever happens: no row is lost or changes its id, no assignment ends, and nothing that the provider has all the time is gone. */
export function expectNothingLost(before: Look, after: Look): void {
  for (const [ucloudId, row] of before.table) {
    const now = after.table.get(ucloudId);
    expect({ id: now?.id, assignments: now?.assignments }, ucloudId).toEqual({
      id: row.id,
      assignments: row.assignments,
    });
    const isThere = before.existing.has(ucloudId) && after.existing.has(ucloudId);
    if (isThere && now?.gone === true && !row.gone) throw new Error(`${ucloudId} was marked gone and is there`);
  }
}

/** What the row of an ended run says is what became of the table. */
export function expectTrueCounts(run: SyncRun, before: Look, after: Look): void {
  const { hostsSeen, created, updated, unchanged } = run;
  expect(hostsSeen, "hosts read").toBe(created + updated + unchanged);
  const rows = [...after.table.values()];
  const isNew = ({ ucloud_id }: HostRow) => !before.table.has(ucloud_id);
  const hasGone = (row: HostRow) => row.gone && before.table.get(row.ucloud_id)?.gone === false;
  expect(created, "created").toBe(rows.filter(isNew).length);
  expect(run.gone, "gone").toBe(rows.filter(hasGone).length);
  expect(run.regionsDone).toBeLessThanOrEqual(run.regionsTotal);
}

/** How a run ended goes with what it says of itself. */
export function expectGoodEnding(run: SyncRun): void {
  const said = run.errors.map(({ message }) => message);
  expect(said.filter((message) => !/[一-龥].*/.test(message))).toEqual([]);
  switch (run.status) {
    case "succeeded":
      expect([said, run.rejected, run.regionsDone]).toEqual([[], 0, run.regionsTotal]);
      return;
    case "partial":
    case "failed":
      expect(said.length, `${run.status} says why`).toBeGreaterThan(0);
      return;
    case "cancelled":
      expect(run.gone).toBe(0);
      return;
    default:
      throw new Error(`a run ended as ${run.status}`);
  }
}

/** A run that says that all is well has every host with its values, and none that is not there. `untold`: it may have been lied to. */
export function expectTheTruth(before: Look, after: Look, untold: boolean): void {
  for (const ucloudId of before.findable) {
    if (!after.findable.has(ucloudId) || (untold && before.table.get(ucloudId)?.gone !== false)) continue;
    const row = after.table.get(ucloudId);
    const truths = [before.existing.get(ucloudId), after.existing.get(ucloudId)].map(valuesOf);
    expect(row?.gone, `${ucloudId} is there`).toBe(false);
    expect(truths, ucloudId).toContainEqual(row === undefined ? null : shownOf(row));
  }
  for (const [ucloudId, { gone }] of before.table) {
    if (gone || before.existing.has(ucloudId) || after.existing.has(ucloudId)) continue;
    expect(after.table.get(ucloudId)?.gone, `${ucloudId} has vanished`).toBe(true);
  }
}

/** At least one word of its going on, exactly one of its end, which is the last, and no count that goes back. */
export function expectGoodTelling(told: readonly ToldRun[], run: SyncRun): void {
  const types = told.map(({ type }) => type);
  expect(types.filter((type) => type === "sync.progress").length).toBeGreaterThan(0);
  expect(types.filter((type) => type === "sync.finished")).toEqual(["sync.finished"]);
  expect(told.at(-1)).toEqual({ type: "sync.finished", run });
  for (const key of ["hostsSeen", "created", "updated", "unchanged", "gone", "regionsDone"] as const) {
    const counts = told.map((one) => one.run[key]);
    expect(counts, key).toEqual(counts.toSorted((a, b) => a - b));
  }
}

function valuesOf(host: HostRecord | undefined) {
  return { name: host?.Name, provider_status: host?.State, cpu: host?.CPU, memory: host?.Memory };
}

function shownOf({ name, provider_status, cpu, memory }: HostRow) {
  return { name, provider_status, cpu, memory };
}
