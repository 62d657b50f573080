import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { sql } from "kysely";
import type { SyncStatus } from "../../shared/sync.ts";
import { ConfigEntity } from "../configs/entity.ts";
import { configNotFound } from "../configs/queries.ts";
import { AppError } from "../core/errors.ts";
import { isDatabaseUnavailable } from "../database/errors.ts";
import { appendEvent } from "../events/append.ts";
import { ProviderFailure } from "../provider/failure.ts";
import { countCurrentHosts } from "./current-hosts.ts";
import { readEmptyPlaces } from "./empty-places.ts";
import { explainHalt } from "./halt.ts";
import { createHostBuffer } from "./host-buffer.ts";
import { type ClaimedRun, holdLease, type Lease } from "./lease.ts";
import { listPlaces } from "./list-places.ts";
import { markGone } from "./mark-gone.ts";
import { moveHosts } from "./move-hosts.ts";
import { presentSyncRun, type SyncRunRecord } from "./present.ts";
import { type Progress, saveCounters, startProgress } from "./progress.ts";
import { beginAsking } from "./questions.ts";
import { finalStatus, MAX_HOSTS } from "./rules.ts";
import type { RunContext, SyncDeps } from "./run-context.ts";
import type { Seat } from "./seats.ts";
import { RunStopped } from "./stop-reason.ts";
import { surveyPlaces } from "./survey.ts";
import { traverse } from "./traverse.ts";

/** The longest that a run may take, in ms; far beyond any that makes progress. */
const RUN_LIMIT = 30 * 60_000;

type EndStatus = Exclude<SyncStatus, "queued" | "running">;

/** Does a claimed run from its first call of the provider to its last word. Never throws: what goes wrong is in the run's row and the log. */
export async function executeRun(
  deps: SyncDeps,
  claimed: ClaimedRun,
  { stop, seat }: { readonly stop: AbortController; readonly seat: Seat },
): Promise<void> {
  const log = deps.log.child({ runId: claimed.runId, configId: claimed.configId });
  const limit = setTimeout(() => stop.abort(new RunStopped("timeout")), RUN_LIMIT).unref();
  const lease = holdLease(deps, claimed, stop);
  const progress = startProgress(deps, lease, { onCount: seat.touch, onFailure: (error) => stop.abort(error) });
  const started = performance.now();
  log.info("sync run started");
  try {
    const status = await workOrExplain(deps, { lease, progress, stop });
    await progress[Symbol.asyncDispose]();
    const ended = await finish(deps, { lease, progress, status });
    const ms = Math.round(performance.now() - started);
    deps.metrics.syncRunDuration.observe({ config: claimed.configId, status: ended }, ms / 1000);
    log.info({ status: ended, ms, ...progress.counters, errors: progress.errors.length }, "sync run ended");
  } catch (error) {
    await progress[Symbol.asyncDispose]();
    if (error instanceof RunStopped) log.warn({ reason: error.kind }, "sync run given up");
    else log.error({ err: error }, "sync run could not be finished; it will show as interrupted");
  } finally {
    clearTimeout(limit);
  }
}

interface Parts {
  readonly lease: Lease;
  readonly progress: Progress;
  readonly stop: AbortController;
}

/** The status that the run ends with. Throws when it is not ours to end, or the database is away. */
async function workOrExplain(deps: SyncDeps, parts: Parts): Promise<EndStatus> {
  const { progress, stop } = parts;
  try {
    return await work(deps, parts);
  } catch (error) {
    // What made one part stop the others comes first: they fail in its wake.
    const cause: unknown = stop.signal.aborted ? stop.signal.reason : error;
    stop.abort(cause);
    if (cause instanceof RunStopped) return statusOfStop(cause, progress);
    if (cause instanceof AppError) {
      const code = cause instanceof ProviderFailure ? cause.kind : cause.code.toLowerCase();
      progress.addError({ region: null, projectId: null, code, message: cause.message });
      return "failed";
    }
    if (isDatabaseUnavailable(cause)) throw cause;
    deps.log.error({ err: cause, runId: parts.lease.runId }, "unhandled error in a sync run");
    const message = "同步时服务器内部错误，请稍后重试；若持续出现，请联系技术支持";
    progress.addError({ region: null, projectId: null, code: "internal", message });
    return "failed";
  }
}

function statusOfStop(stopped: RunStopped, progress: Progress): EndStatus {
  switch (stopped.kind) {
    case "lease-lost":
      throw stopped;
    case "cancelled":
      return "cancelled";
    case "shutdown": {
      const message = "服务停止，同步未做完，已写入的数据有效，请重新同步";
      progress.addError({ region: null, projectId: null, code: "interrupted", message });
      return "interrupted";
    }
    case "timeout": {
      const message = `同步超过 ${RUN_LIMIT / 60_000} 分钟仍未完成，已停止；请检查云服务商接口的响应速度后重试`;
      progress.addError({ region: null, projectId: null, code: "run-timeout", message });
      return progress.counters.hostsSeen > 0 ? "partial" : "failed";
    }
  }
}

async function work(deps: SyncDeps, { lease, progress, stop }: Parts): Promise<EndStatus> {
  const { signal } = stop;
  const startedAt = deps.clock.now();
  const config = await lease.read((em) => em.findOne(ConfigEntity, { id: lease.configId }));
  if (config === null) throw configNotFound();
  const hostsBefore = await lease.read((em) => countCurrentHosts(em, lease.configId));
  const emptyPlaces = new Set(await lease.read((em) => readEmptyPlaces(em, lease.configId)));
  const asking = beginAsking(deps, config, signal);
  const { maxHosts = MAX_HOSTS } = deps;
  const known = { config, maxHosts, startedAt, hostsBefore, emptyPlaces };
  const seen = { met: new Map(), overlaps: new Map(), unreadable: new Set<string>() };
  const run: RunContext = { deps, ...asking, ...known, ...seen, lease, progress, signal };

  const places = await listPlaces(run);
  const { regions, projectIds, hasOthers } = places;
  const reader = { configId: config.id, regions, projectIds };
  const buffer = createHostBuffer({
    deps,
    lease,
    reader,
    progress,
    maxCreated: Math.max(0, maxHosts - hostsBefore),
    onTooMany: () => run.questions.halt("too-many-hosts"),
    onFailure: (error) => stop.abort(error),
  });
  try {
    const read = await traverse(run, buffer, places);
    await buffer.drain();
    explainHalt(run, read);
    const readable = read.filter(({ outcome }) => outcome === "complete" || outcome === "in-doubt").length;
    if (readable === 0 && progress.errors.length === 0) progress.addError(NOTHING_OPENED);
    // Without hosts before there is nothing that could be missing, and no place to look through.
    if (readable > 0 && hostsBefore > 0 && run.questions.halted === null) {
      const known = { read, surveys: await surveyPlaces(run), hasOthers };
      await moveHosts(run, known);
      await markGone(run, buffer, known);
    }
    return finalStatus({ readable, rejected: progress.counters.rejected, errors: progress.errors });
  } catch (error) {
    stop.abort(error);
    throw error;
  } finally {
    await buffer.close();
  }
}

const NOTHING_OPENED = {
  region: null,
  projectId: null,
  code: "not-opened",
  message: "所有地域均未开通或该密钥无权使用，请检查密钥权限和项目ID",
};

/** The run's last transaction: status, counts, event; the configuration is free with it. A late request to cancel wins as long as nothing was marked gone. */
async function finish(
  deps: SyncDeps,
  { lease, progress, status }: { lease: Lease; progress: Progress; status: EndStatus },
): Promise<SyncStatus> {
  const { counters, errors } = progress;
  const at = deps.clock.now();
  const run = await lease.write(
    async (em) => {
      await saveCounters(em, lease, counters, errors);
      const ended = presentSyncRun(await endRun(em, { runId: lease.runId, status, at }));
      await appendEvent(em, { type: "sync.finished", data: ended }, at);
      return ended;
    },
    { evenIfCancelled: true },
  );
  deps.metrics.syncRuns.inc({ config: lease.configId, trigger: run.trigger, status: run.status });
  deps.metrics.syncedHosts.inc({ config: lease.configId, result: "rejected" }, run.rejected);
  deps.bus.emit("sync.finished", { runId: run.id });
  return run.status;
}

async function endRun(
  em: SqlEntityManager,
  { runId, status, at }: { runId: string; status: EndStatus; at: number },
): Promise<SyncRunRecord> {
  const { rows } = await sql<SyncRunRecord>`
    update sync_runs
    set status = case when cancel_requested and gone = 0 then 'cancelled' else ${status} end,
      finished_at = ${at}, lease_owner = null, lease_until = null
    where id = ${runId}
    returning *
  `.execute(em.getKysely());
  const [run] = rows;
  if (run === undefined) throw new Error(`the row of sync run ${runId} is missing although it is locked`);
  return run;
}
