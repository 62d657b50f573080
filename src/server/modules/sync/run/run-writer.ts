import { setTimeout as sleep } from "node:timers/promises";
import type { EntityManager } from "@mikro-orm/postgresql";
import pLimit from "p-limit";
import {
  isLiveSync,
  type SyncRun,
  type SyncRunError,
  type SyncStatus,
} from "../../../../shared/sync.ts";
import { isDatabaseUnavailable } from "../../../platform/database/errors.ts";
import { inTransaction, inTurn } from "../../../platform/database/transaction.ts";
import type { CrawlProgress } from "../crawl.ts";
import type { SyncDeps } from "../deps.ts";
import { publishChanges, publishRun } from "../events.ts";
import type { SeenHost } from "../host-store.ts";
import { notifyOfFailures } from "../notices.ts";
import { recordRun } from "../record-run.ts";
import { type RunCounters, sumOfCounters, zeroCounters } from "../run-counters.ts";
import { limitErrors } from "../run-errors.ts";
import { publishPauseOrResume } from "../schedule/pause.ts";
import { isAnyUnsettled, sendRound, settleLater } from "../settling/settling.ts";
import { type JudgedBatch, judgeBatch, writeJudged } from "../write-hosts.ts";
import { HostBuffer } from "./host-buffer.ts";
import { lockRunningRun, type RunRef, type RunState, saveRun } from "./run-row.ts";

const PROGRESS_MS = 500;
/**
 * A database that restarts costs no run. One that is away for longer than the owner's heartbeat may
 * be missing does: by then the queue may have given the run to another worker.
 */
const RETRY_MS = { interval: 500, limit: 15_000 } as const;

/** Writes rows in a transaction of the run, and says what that adds to the run's counters. */
type Change = (em: EntityManager) => Promise<Partial<RunCounters>>;
const NO_CHANGE: Change = async () => ({});

/** What a transaction of the run makes known. */
type Publication =
  | { readonly kind: "nothing" }
  | { readonly kind: "progress" }
  | { readonly kind: "end"; readonly status: SyncStatus };

/**
 * Writes what a run finds, counts what it does, and publishes both in its row and as events.
 *
 * A run has one transaction at a time. Each locks the run's row first (`lockRunningRun`), so each
 * may throw RunEnded, and adds to the row what it has done: whoever ends the run finds counted what
 * was written. Pages arrive faster than they can be written one by one, so the hosts that come while
 * a batch is written wait and form the next one, which is compared with what is stored meanwhile. A
 * batch that is as it was has no transaction; it is counted with the next one.
 *
 * Twice a second the row and an event say how far the run is, until the writer is disposed or has
 * ended the run. There may be two hundred errors, which neither of them carries again as long as
 * they stay the same.
 */
export class RunWriter implements CrawlProgress, AsyncDisposable {
  readonly #deps: SyncDeps;
  readonly #run: RunRef;
  #counters = zeroCounters();
  /** By their JSON, so that each is kept once. */
  readonly #errors = new Map<string, SyncRunError>();
  /** So many of them are in the row. */
  #errorsSaved = 0;
  /** The length of the row's list as an event of progress carried it last. */
  #errorsPublished = 0;
  /** Among the hosts of batches that were not written are some on their way to another state. */
  #isAnyUnsettled = false;
  readonly #hosts: HostBuffer;
  readonly #oneAtATime = pLimit(1);
  readonly #ending = new AbortController();
  readonly #publishing: Promise<void>;

  /** `onFailure` hears why progress cannot be published any more, or hosts not be written. */
  constructor(deps: SyncDeps, run: RunRef, onFailure: (error: unknown) => void) {
    this.#deps = deps;
    this.#run = run;
    this.#hosts = new HostBuffer((batch) => this.#writeNext(batch), onFailure);
    this.#publishing = this.#publishProgress().catch(onFailure);
  }

  get counters(): Readonly<RunCounters> {
    return this.#counters;
  }

  get errors(): readonly SyncRunError[] {
    return [...this.#errors.values()];
  }

  add(error: SyncRunError): void {
    this.#errors.set(JSON.stringify(error), error);
  }

  count(difference: Partial<RunCounters>): void {
    this.#counters = sumOfCounters(this.#counters, difference);
  }

  /** They are written while more are read. Waits while too many are to be written. */
  async addHosts(hosts: readonly SeenHost[]): Promise<void> {
    await this.#hosts.add(hosts);
  }

  /** Waits until all hosts that were added are written. */
  async drain(): Promise<void> {
    await this.#hosts.drain();
  }

  async write(change: Change): Promise<void> {
    await this.#oneAtATime(() => this.#save(change, { kind: "nothing" }));
  }

  async end(status: SyncStatus): Promise<SyncRun> {
    await this[Symbol.asyncDispose]();
    return await this.#oneAtATime(() => this.#save(NO_CHANGE, { kind: "end", status }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending.abort();
    await this.#publishing;
  }

  async #publishProgress(): Promise<void> {
    const { signal } = this.#ending;
    while (await sleep(PROGRESS_MS, true, { signal }).catch(() => false)) {
      await this.#oneAtATime(() => this.#save(NO_CHANGE, { kind: "progress" }));
    }
  }

  async #writeNext(hosts: readonly SeenHost[]): Promise<void> {
    const judged = await this.#judge(hosts);
    if (judged.created.length + judged.changed.length === 0) {
      this.count({ hostsSeen: hosts.length, unchanged: hosts.length });
      this.#isAnyUnsettled ||= isAnyUnsettled(hosts);
      return;
    }

    await this.write((em) => {
      const now = this.#deps.clock.now();
      return writeBatch(this.#deps, em, { ...judged, now });
    });
  }

  async #judge(hosts: readonly SeenHost[]): Promise<JudgedBatch> {
    const { configId, runId } = this.#run;
    const batch = { configId, runId, hosts, now: this.#deps.clock.now() };
    return await whileDatabaseRestarts(() => inTurn(this.#deps, (em) => judgeBatch(em, batch)));
  }

  /** One transaction of the run. It may be tried again, so it is counted only after its commit. */
  async #save(change: Change, publication: Publication): Promise<SyncRun> {
    const { configId, runId } = this.#run;
    const errors = this.#errors.size;
    const isAnyUnsettled = this.#isAnyUnsettled;
    const transaction = async (em: EntityManager) => {
      await lockRunningRun(em, runId);
      const added = await change(em);
      const now = this.#deps.clock.now();
      const saved = await saveRun(em, runId, this.#stateWith(added, publication, now));
      if (isAnyUnsettled) await sendRound(this.#deps, em, { configId, round: 0 });
      if (publication.kind === "end") await tellOfEnd(this.#deps, em, saved, now);
      if (publication.kind !== "nothing") await publishRun(em, this.#withNewErrors(saved), now);
      return { added, saved };
    };

    const { added, saved } = await whileDatabaseRestarts(() =>
      inTransaction(this.#deps, transaction),
    );
    this.count(added);
    if (isAnyUnsettled) this.#isAnyUnsettled = false;
    this.#errorsSaved = errors;
    if (publication.kind === "progress") this.#errorsPublished = saved.errors.length;
    return saved;
  }

  #stateWith(added: Partial<RunCounters>, publication: Publication, now: number): RunState {
    const counters = sumOfCounters(this.#counters, added);
    // A provider may list more hosts than it counts.
    counters.hostsTotal = Math.max(counters.hostsTotal, counters.hostsSeen);
    const end = publication.kind === "end" ? { status: publication.status, finishedAt: now } : null;
    const areSaved = this.#errors.size === this.#errorsSaved;
    return { counters, errors: areSaved ? null : limitErrors(this.errors), end };
  }

  /** As an event carries it. Errors are only added, so a list of the same length is the same. */
  #withNewErrors(run: SyncRun): SyncRun {
    const areSame = run.errors.length === this.#errorsPublished;
    return areSame && isLiveSync(run.status) ? { ...run, errors: [] } : run;
  }
}

async function writeBatch(
  deps: Pick<SyncDeps, "jobs">,
  em: EntityManager,
  batch: JudgedBatch,
): Promise<Partial<RunCounters>> {
  const { configId, hosts, now } = batch;
  const changed = await writeJudged(em, batch);
  await settleLater(deps, em, configId, hosts);
  await publishChanges(em, { configId, hosts: changed }, now);

  const created = changed.filter(({ kind }) => kind === "created").length;
  return {
    hostsSeen: hosts.length,
    created,
    updated: changed.length - created,
    unchanged: hosts.length - changed.length,
  };
}

/** What the end of a run means for its configuration. */
async function tellOfEnd(
  deps: SyncDeps,
  em: EntityManager,
  run: SyncRun,
  at: number,
): Promise<void> {
  await recordRun({ ...deps, em }, "job.sync-run", run, at);
  const now = await deps.databaseClock.now(em);
  const { configId, status } = run;
  await notifyOfFailures({ ...deps, em }, { configId, status, now }, at);
  await publishPauseOrResume(deps, em, run, at);
}

async function whileDatabaseRestarts<Result>(attempt: () => Promise<Result>): Promise<Result> {
  const until = performance.now() + RETRY_MS.limit;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!isDatabaseUnavailable(error) || performance.now() > until) throw error;
      await sleep(RETRY_MS.interval, undefined, { ref: false });
    }
  }
}
