import { isDeepStrictEqual } from "node:util";
import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { sql } from "kysely";
import { MORE_ERRORS, type SyncRunError } from "../../shared/sync.ts";
import type { Deps } from "../core/deps.ts";
import { appendEvent } from "../events/append.ts";
import { LEASE_END, type Lease } from "./lease.ts";
import { presentSyncRun, type SyncRunRecord } from "./present.ts";
import { MAX_ERRORS } from "./rules.ts";

/** At most four events a second, ms between two; what is written at once is not always told at once. */
const MIN_INTERVAL = 300;
/** What was counted waits so long, in ms, to be told along with something else that is written. */
const MAX_WAIT = 400;
/** At least one in two seconds, and a sign of life for the lease. */
const MAX_INTERVAL = 1_000;
/** What an `integer` column holds. */
const MAX_INTEGER = 2_147_483_647;

export interface RunCounters {
  regionsTotal: number;
  regionsDone: number;
  /** What the provider announces, as it says. */
  hostsTotal: number;
  /** Created, updated and unchanged: what is read counts when it is written, so that the counts agree however the run ends. */
  hostsSeen: number;
  created: number;
  updated: number;
  unchanged: number;
  gone: number;
  rejected: number;
}

export interface Progress extends AsyncDisposable {
  readonly counters: Readonly<RunCounters>;
  readonly errors: readonly SyncRunError[];
  add(difference: Partial<RunCounters>): void;
  addError(error: SyncRunError): void;
  /** Tells what was just saved in a transaction that does something else, if it is time to: that saves one of its own. */
  tellAlong(em: SqlEntityManager, run: SyncRunRecord): Promise<void>;
}

type ProgressDeps = Pick<Deps, "clock">;

interface ProgressListeners {
  /** Hears whenever something is counted. */
  readonly onCount: () => void;
  /** Hears of a failed write, once. */
  readonly onFailure: (error: unknown) => void;
}

/** Counts in memory what a run does, tells it in the run's row and as events, and keeps the lease alive, until disposed. */
export function startProgress(deps: ProgressDeps, lease: Lease, { onCount, onFailure }: ProgressListeners): Progress {
  const counters: RunCounters = {
    regionsTotal: 0,
    regionsDone: 0,
    hostsTotal: 0,
    hostsSeen: 0,
    created: 0,
    updated: 0,
    unchanged: 0,
    gone: 0,
    rejected: 0,
  };
  const kept: SyncRunError[] = [];
  /** Those that there was no room for. */
  const untold = new Set<string>();
  let isDirty = true;
  let toldAt = Number.NEGATIVE_INFINITY;
  let telling: Promise<void> | undefined;

  function allErrors(): readonly SyncRunError[] {
    return untold.size === 0 ? kept : [...kept, moreErrors(kept.length, untold.size)];
  }

  async function tell(): Promise<void> {
    isDirty = false;
    try {
      await lease.write(async (em) => {
        const run = await saveCounters(em, lease, counters, allErrors());
        await appendEvent(em, { type: "sync.progress", data: presentSyncRun(run) }, deps.clock.now());
      });
    } catch (error) {
      clearInterval(timer);
      onFailure(error);
    }
    // From the end of the write on, so that a slow database cannot pile events up.
    toldAt = performance.now();
    telling = undefined;
  }

  const timer = setInterval(() => {
    const silence = performance.now() - toldAt;
    if (telling === undefined && silence >= (isDirty ? MAX_WAIT : MAX_INTERVAL)) telling = tell();
  }, 50);

  return {
    counters,
    get errors() {
      return allErrors();
    },
    add(difference) {
      for (const key of COUNTER_NAMES) counters[key] += difference[key] ?? 0;
      isDirty = true;
      onCount();
    },
    addError(error) {
      isDirty = true;
      // Several pages of a place fail in the same way.
      if (kept.some((known) => isDeepStrictEqual(known, error))) return;
      if (kept.length < MAX_ERRORS || error.region === null) kept.push(error);
      else untold.add(JSON.stringify(error));
    },
    async tellAlong(em, run) {
      if (telling !== undefined || performance.now() - toldAt < MIN_INTERVAL) return;
      // Before it is committed: a transaction that is tried again leaves the telling to the timer, which is soon enough.
      toldAt = performance.now();
      await appendEvent(em, { type: "sync.progress", data: presentSyncRun(run) }, deps.clock.now());
    },
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await telling;
    },
  };
}

function moreErrors(told: number, untold: number): SyncRunError {
  const message = `共有 ${told + untold} 个问题，只列出了 ${told} 个；请先处理已列出的，再重新同步`;
  return { region: null, projectId: null, code: MORE_ERRORS, message };
}

const COUNTER_NAMES = [
  "regionsTotal",
  "regionsDone",
  "hostsTotal",
  "hostsSeen",
  "created",
  "updated",
  "unchanged",
  "gone",
  "rejected",
] as const satisfies readonly (keyof RunCounters)[];

/**
 * Writes the counts of a run whose row is locked, and extends its lease. A provider may announce fewer hosts than it lists,
 * but "205 of 125" is told to nobody.
 */
export async function saveCounters(
  em: SqlEntityManager,
  { runId }: Pick<Lease, "runId">,
  counters: Readonly<RunCounters>,
  errors: readonly SyncRunError[],
): Promise<SyncRunRecord> {
  const hostsTotal = Math.max(counters.hostsTotal, counters.hostsSeen);
  const { rows } = await sql<SyncRunRecord>`
    update sync_runs set
      regions_total = ${counters.regionsTotal}, regions_done = ${counters.regionsDone},
      hosts_total = ${Math.min(hostsTotal, MAX_INTEGER)}, hosts_seen = ${counters.hostsSeen},
      created = ${counters.created}, updated = ${counters.updated}, unchanged = ${counters.unchanged},
      gone = ${counters.gone}, rejected = ${counters.rejected},
      errors = ${JSON.stringify(errors)}::jsonb, lease_until = ${LEASE_END}
    where id = ${runId}
    returning *
  `.execute(em.getKysely());
  const [run] = rows;
  if (run === undefined) throw new Error(`the row of sync run ${runId} is missing although it is locked`);
  return run;
}
