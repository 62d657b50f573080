import type { Config } from "@shared/configs.ts";
import type { HostSummary } from "@shared/host-summary.ts";
import type { Renewal, RenewalList } from "@shared/renewals.ts";
import { isLiveSync, SYNC_STATUS_LABELS, type SyncRun } from "@shared/sync.ts";
import { EXPIRING_SOON_DAYS } from "@shared/time.ts";
import { hostTitle } from "@/components/hosts/host-facts";
import { waitingSince } from "@/components/renewals/waiting-time";
import { balanceTrouble } from "@/components/sync/balance-text";
import { isWorthAnotherRun, lastRunOf, resultText } from "@/components/sync/run-summary";
import { pauseText } from "@/components/sync/use-configs";
import { formatAgo, formatIn, formatYuan } from "@/lib/format";
import { formatNumber } from "@/lib/format-number";
import { hostsHref } from "./hosts-href";

type TaskKind =
  | "request"
  | "payment"
  | "assignmentEnd"
  | "providerEnd"
  | "renewalFailed"
  | "balance"
  | "held"
  | "sync";
/** `critical` is what nobody expects, `danger` is late already, `warning` wants to be done today. */
export type TaskTone = "critical" | "danger" | "warning";

/** Leads to a list, or starts a sync of the configuration. */
type TaskAction = { label: string; href: string } | { label: string; configId: string };

export interface Task {
  readonly id: string;
  readonly kind: TaskKind;
  readonly tone: TaskTone;
  readonly title: string;
  readonly detail: string;
  readonly action: TaskAction;
}

/** The pending requests, oldest first, and the first of those that wait for a payment. */
interface OpenRequests {
  readonly pending: RenewalList;
  readonly approved: RenewalList;
}

/**
 * Hosts that end at the provider or for their users, and those that a sync did not find.
 * `failedRenewals` is how many of those that have ended were to be renewed.
 */
export function hostTasks(numbers: HostSummary, failedRenewals: number): Task[] {
  const { assigned, provider, held } = numbers;
  const soon = `${EXPIRING_SOON_DAYS} 天内`;
  const notRenewed = provider.expired - failedRenewals;
  const tasks: Task[] = [];

  if (failedRenewals > 0) {
    tasks.push({
      id: "renewal-failed",
      kind: "renewalFailed",
      tone: "critical",
      title: `${formatNumber(failedRenewals)} 台主机自动续费未成功`,
      detail: "云端已过期，主机随时会被释放。请核对云账号余额，并到云服务商处续费",
      action: { label: "查看", href: hostsHref({ expired: true, autoRenew: true }) },
    });
  }
  if (notRenewed > 0) {
    tasks.push({
      id: "provider-expired",
      kind: "providerEnd",
      tone: "danger",
      title: `${formatNumber(notRenewed)} 台主机云端已过期`,
      detail: "请尽快到云服务商处续费，否则主机会被释放",
      action: { label: "查看", href: hostsHref({ expired: true, autoRenew: false }) },
    });
  }
  if (provider.expiring7 > 0) {
    tasks.push({
      id: "provider-expiring",
      kind: "providerEnd",
      tone: "warning",
      title: `${formatNumber(provider.expiring7)} 台主机 ${soon}云端到期`,
      detail: "没有开启自动续费。仍要使用的，请到云服务商处续费",
      action: {
        label: "查看",
        href: hostsHref({ expiring: EXPIRING_SOON_DAYS, autoRenew: false }),
      },
    });
  }
  if (assigned.expired > 0) {
    tasks.push({
      id: "assignment-expired",
      kind: "assignmentEnd",
      tone: "danger",
      title: `${formatNumber(assigned.expired)} 台主机用户已到期`,
      detail: "仍分配给用户，请延长或取消分配",
      action: { label: "查看", href: hostsHref({ assignedExpired: true }) },
    });
  }
  if (assigned.expiring7 > 0) {
    tasks.push({
      id: "assignment-expiring",
      kind: "assignmentEnd",
      tone: "warning",
      title: `${formatNumber(assigned.expiring7)} 台主机 ${soon}用户到期`,
      detail: "可以提前联系用户续费",
      action: { label: "查看", href: hostsHref({ assignedExpiring: EXPIRING_SOON_DAYS }) },
    });
  }
  if (held !== null && held > 0) {
    tasks.push({
      id: "held",
      kind: "held",
      tone: "warning",
      title: `${formatNumber(held)} 台主机待确认消失`,
      detail: "同步没有找到它们，请核实后确认或保留",
      action: { label: "核实", href: "/hosts/held" },
    });
  }
  return tasks;
}

/** Requests that wait for a decision, and those that wait for their payment. */
export function requestTasks({ pending, approved }: OpenRequests, now: number): Task[] {
  const tasks: Task[] = [];
  const [oldest] = pending.requests;
  const [firstUnpaid] = approved.requests;

  if (oldest !== undefined) {
    const { state, text } = waitingSince(oldest.createdAt, now);
    tasks.push({
      id: "pending",
      kind: "request",
      tone: state === "overdue" ? "danger" : "warning",
      title: pendingTitle(pending, now),
      detail: `最早：${requestText(oldest)}，${text}`,
      action: { label: "处理", href: "/renewals" },
    });
  }
  if (firstUnpaid !== undefined) {
    const approvedAgo = formatAgo(firstUnpaid.processedAt, now);
    tasks.push({
      id: "approved",
      kind: "payment",
      tone: "warning",
      title: `${formatNumber(approved.counts.approved)} 个续费申请待付款`,
      detail: `收款后标记完成。最早：${requestText(firstUnpaid)}，${approvedAgo}批准`,
      action: { label: "标记完成", href: "/renewals?status=approved" },
    });
  }
  return tasks;
}

/** `12 个续费申请待处理，其中 3 个已超时`. The list begins with the oldest. */
function pendingTitle({ requests, counts }: RenewalList, now: number): string {
  const overdue = requests.filter(
    ({ createdAt }) => waitingSince(createdAt, now).state === "overdue",
  );
  const title = `${formatNumber(counts.pending)} 个续费申请待处理`;
  if (overdue.length === 0) return title;
  if (overdue.length === counts.pending) return `${title}，已超时`;

  const isCutOff = overdue.length === requests.length;
  return `${title}，其中 ${isCutOff ? "至少 " : ""}${formatNumber(overdue.length)} 个已超时`;
}

function requestText({ user, host, requestedDuration }: Renewal): string {
  return `${user.name} 的 ${hostTitle(host)} 续费 ${requestedDuration} 天`;
}

/** A line for each active configuration whose account has too little left. */
export function balanceTasks(configs: readonly Config[], now: number): Task[] {
  return configs.flatMap((config) => {
    const { id, name, balance, isActive } = config;
    const trouble = balanceTrouble(config);
    if (!isActive || balance === null || trouble === null) return [];

    const isInDebt = balance.available < 0;
    const agoText = formatAgo(balance.at, now);
    return [
      {
        id: `balance-${id}`,
        kind: "balance",
        tone: isInDebt ? "danger" : "warning",
        title: `云账号“${name}”${isInDebt ? "已欠费" : "余额不足"}`,
        detail: isInDebt
          ? `可用 ${formatYuan(balance.available)}（${agoText}读取）。充值前自动续费不会成功`
          : `可用 ${formatYuan(balance.available)}，${trouble}（${agoText}读取）`,
        action: { label: "查看", href: `/configs?config=${id}` },
      },
    ];
  });
}

/** A line for each active configuration whose hosts may be out of date. */
export function syncTasks(
  configs: readonly Config[],
  recent: readonly SyncRun[],
  now: number,
): Task[] {
  return configs.flatMap((config) => {
    const problem = config.isActive ? syncProblem(config, recent, now) : null;
    if (problem === null) return [];

    return [
      {
        id: `sync-${config.id}`,
        kind: "sync",
        action: { label: "同步", configId: config.id },
        ...problem,
        title: `云账号“${config.name}”${problem.title}`,
      },
    ];
  });
}

/** The action is left out where a sync is the way on. */
type SyncProblem = Pick<Task, "tone" | "title" | "detail"> & Partial<Pick<Task, "action">>;

function syncProblem(config: Config, recent: readonly SyncRun[], now: number): SyncProblem | null {
  const run = lastRunOf(config, recent);
  if (run !== null && isLiveSync(run.status)) return null;

  const whyPaused = pauseText(config);
  if (whyPaused !== null) {
    return {
      tone: "danger",
      title: "的自动同步已暂停",
      // What resumes it stands on the card.
      detail: `${lastSuccessText(config, now)} · ${whyPaused.split("。")[0]}`,
      action: { label: "更新密钥", href: `/configs?config=${config.id}&open=keys` },
    };
  }
  if (run === null) {
    return {
      tone: "warning",
      title: "还没有同步过",
      detail: `同步后才能看到它的主机 · ${nextSyncText(config, now)}`,
    };
  }

  const isLate = config.isStale;
  if (isWorthAnotherRun(run)) {
    const agoText = formatAgo(run.finishedAt ?? run.startedAt, now);
    return {
      tone: run.status === "failed" || isLate ? "danger" : "warning",
      title: `同步${SYNC_STATUS_LABELS[run.status]}${isLate ? "，数据可能已过时" : ""}`,
      detail: `${agoText} · ${resultText(run)} · ${scheduleText(config, now)}`,
      ...mendOf(config, run),
    };
  }
  if (!isLate) return null;

  return { tone: "warning", title: "的数据可能已过时", detail: scheduleText(config, now) };
}

/** What another run would only meet again, because a person has to mend it. */
const MENDED_BY_EDITING = ["forbidden", "address-refused", "dns", "tls", "redirect", "malformed"];

function mendOf(config: Config, { status, errors }: SyncRun): Partial<Pick<Task, "action">> {
  if (status !== "failed") return {};

  const href = `/configs?config=${config.id}`;
  const codes = errors.map(({ code }) => code);
  if (codes.includes("unauthorized")) {
    return { action: { label: "更新密钥", href: `${href}&open=keys` } };
  }
  if (codes.some((code) => MENDED_BY_EDITING.includes(code))) {
    return { action: { label: "编辑配置", href: `${href}&open=edit` } };
  }
  // The allow-list is the provider's; the page says how it is changed.
  return codes.includes("ip-refused") ? { action: { label: "查看配置", href } } : {};
}

/** `最近成功 3 小时前 · 下次自动同步 12 分钟后` */
function scheduleText(config: Config, now: number): string {
  return `${lastSuccessText(config, now)} · ${nextSyncText(config, now)}`;
}

function lastSuccessText({ lastSuccessAt }: Config, now: number): string {
  return lastSuccessAt === null ? "还没有成功过" : `最近成功 ${formatAgo(lastSuccessAt, now)}`;
}

function nextSyncText({ nextSyncAt }: Config, now: number): string {
  return nextSyncAt === null ? "未开启自动同步" : `下次自动同步 ${formatIn(nextSyncAt, now)}`;
}
