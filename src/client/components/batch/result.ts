import type { ErrorCode } from "@shared/error-kinds.ts";
import type { Host } from "@shared/hosts.ts";
import { formatNumber } from "@/lib/format-number";

/** `unknown` while no answer says what became of it. */
export type Outcome = "succeeded" | "failed" | "unknown";

/** What became of one item of a batch, a host or a request for one, by its `id`. */
export interface Result {
  readonly id: string;
  readonly host: Pick<Host, "id" | "name" | "ucloudId">;
  /** Whose assignment it was, where a batch is about those of several users. */
  readonly userName?: string | undefined;
  readonly outcome: Outcome;
  readonly message?: string | undefined;
  /** Not the server's answer, but what a later look at the item showed. */
  readonly isReadAgain?: boolean;
}

export type ResultOutcome = Pick<Result, "outcome" | "message" | "isReadAgain">;

export const OUTCOME_LABELS: Readonly<Record<Outcome, string>> = {
  succeeded: "成功",
  failed: "失败",
  unknown: "结果未知",
};

/** While the item is read again. */
const CHECKING = "没有得到结果，正在重新读取…";
const FOUND_DONE = "没有得到结果，重新读取确认已完成";
const FOUND_UNDONE = "没有得到结果，重新读取时还没有生效，请稍后刷新核对";
const NOT_FOUND_OUT = "没有得到结果，也无法重新读取，请恢复连接后刷新核对";

/** What the server says of an item of a batch. */
export interface ItemAnswer {
  readonly ok: boolean;
  readonly code?: ErrorCode | undefined;
  readonly message?: string | undefined;
}

/** An item whose database was lost under it may have been done, as one without an answer. */
export function answered(answer: ItemAnswer | undefined): ResultOutcome {
  if (answer === undefined) return { outcome: "unknown" };

  const { ok, code, message } = answer;
  if (code === "UNAVAILABLE") return { outcome: "unknown", message };
  return { outcome: ok ? "succeeded" : "failed", message };
}

export function beingChecked(): ResultOutcome {
  return { outcome: "unknown", message: CHECKING };
}

/**
 * After the item was read again: whether it is as it was to become; null when nothing was read.
 * What the server said of an item that is not done knows more, such as that it was never tried.
 */
export function checked(isDone: boolean | null, said?: string): ResultOutcome {
  if (isDone === null) return { outcome: "unknown", message: said ?? NOT_FOUND_OUT };
  return isDone
    ? { outcome: "succeeded", message: FOUND_DONE, isReadAgain: true }
    : { outcome: "unknown", message: said ?? FOUND_UNDONE, isReadAgain: true };
}

export function countOutcomes(results: readonly Result[]): Readonly<Record<Outcome, number>> {
  const count = (outcome: Outcome) => results.filter((each) => each.outcome === outcome).length;
  return {
    succeeded: count("succeeded"),
    failed: count("failed"),
    unknown: count("unknown"),
  };
}

/** Hosts, or assignments where a host is there once for each of its users. */
export function unitOf(hosts: readonly Pick<Host, "id">[]): string {
  const isEachOnce = new Set(hosts.map(({ id }) => id)).size === hosts.length;
  return isEachOnce ? "台" : "条分配";
}

/** `12 台主机`, `14 条分配`. */
export function countText(hosts: readonly Pick<Host, "id">[]): string {
  const unit = unitOf(hosts);
  return `${formatNumber(hosts.length)} ${unit === "台" ? "台主机" : unit}`;
}
