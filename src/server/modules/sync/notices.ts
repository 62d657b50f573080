import { MAX_NOTICE_ITEMS } from "../../../shared/notices.ts";
import type { SyncStatus } from "../../../shared/sync.ts";
import { kyselyOf } from "../../platform/database/kysely.ts";
import type { NotifyDeps } from "../notice-records/deps.ts";
import { notifyUsers } from "../notice-records/notify-users.ts";
import { findConfig } from "../provider-configs/queries.ts";
import { findActiveSuperAdminIds } from "../users/queries.ts";
import { BELIEVED_AHEAD_SECONDS } from "./schedule/schedule.ts";

// What super admins are told of the syncs of a configuration. Each trouble is told once until it is
// mended, and none of that is stored: it shows in the runs and hosts that are there anyway.

const FAILURES_TO_TELL = 3;

interface EndedRun {
  readonly configId: string;
  readonly status: SyncStatus;
  /** By the database's clock. */
  readonly now: number;
}

/**
 * After the end of a run is written. The third failure in a row is told, whoever started the runs,
 * and the fourth is not. Interrupted and cancelled ones between and after them say nothing about the
 * configuration. `at` in Unix seconds, as below.
 */
export async function notifyOfFailures(
  deps: NotifyDeps,
  { configId, status: endedAs, now }: EndedRun,
  at: number,
): Promise<void> {
  if (endedAs !== "failed") return;

  const newest = await kyselyOf(deps.em)
    .selectFrom("sync_runs")
    .select("status")
    .where("configId", "=", configId)
    .where("status", "in", ["succeeded", "partial", "failed"])
    .where("queuedAt", "<=", now + BELIEVED_AHEAD_SECONDS)
    .orderBy("queuedAt", "desc")
    .orderBy("id", "desc")
    .limit(FAILURES_TO_TELL + 1)
    .execute();
  const lastSuccess = newest.findIndex(({ status }) => status !== "failed");
  const failures = lastSuccess === -1 ? newest.length : lastSuccess;
  if (failures !== FAILURES_TO_TELL) return;

  const { name } = await findConfig(deps.em, configId);
  const notice = {
    userIds: await findActiveSuperAdminIds(deps.em),
    type: "sync.failing",
    severity: "warning",
    subjects: [],
    describe: () => ({
      title: `配置“${name}”连续 ${FAILURES_TO_TELL} 次同步失败`,
      message: "主机的数据可能已过时，请在配置管理中查看失败的原因。",
      link: linkTo(configId),
    }),
  } as const;
  await notifyUsers(deps, [notice], at);
}

/** The schedule was not paused before. */
export async function notifyOfPause(
  deps: NotifyDeps,
  { configId, reason }: { readonly configId: string; readonly reason: string },
  at: number,
): Promise<void> {
  const { name } = await findConfig(deps.em, configId);
  const notice = {
    userIds: await findActiveSuperAdminIds(deps.em),
    type: "sync.paused",
    severity: "critical",
    subjects: [],
    describe: () => ({
      title: `配置“${name}”的自动同步已暂停`,
      message: `${reason}。`,
      link: linkTo(configId),
    }),
  } as const;
  await notifyUsers(deps, [notice], at);
}

interface HeldHosts {
  readonly configId: string;
  /** Some of them. */
  readonly hostIds: readonly string[];
  readonly total: number;
}

/** The configuration had no held hosts before. */
export async function notifyOfHolds(
  deps: NotifyDeps,
  { configId, hostIds, total }: HeldHosts,
  at: number,
): Promise<void> {
  const { name } = await findConfig(deps.em, configId);
  const named = hostIds.slice(0, MAX_NOTICE_ITEMS);
  const notice = {
    userIds: await findActiveSuperAdminIds(deps.em),
    type: "removals.held",
    severity: "warning",
    subjects: named.map((hostId) => ({ hostId, assignmentId: null })),
    describe: () => ({
      title: `${total} 台主机等待确认是否消失`,
      message: `配置“${name}”的同步没有找到 ${total} 台主机，它们暂时保留，请核实后处理。`,
      link: `/hosts/held?configId=${configId}`,
    }),
  } as const;
  await notifyUsers(deps, [notice], at);
}

function linkTo(configId: string): string {
  return `/configs?config=${configId}`;
}
