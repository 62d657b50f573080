import { daysMissing, type ProviderPeriod, providerPeriod } from "@shared/host-ends.ts";
import type { Host } from "@shared/hosts.ts";
import { formatDate } from "@/lib/format";
import { formatNumber } from "@/lib/format-number";
import { hostTitle } from "./host-facts";
import { earlyText, RENEWAL_FAILED } from "./period-note";

/** A host, and until when a client has it or is to have it. */
export interface PromisedHost {
  readonly host: Host;
  /** Unix seconds. */
  readonly until: number;
}

/** The provider ends before the client, and does not renew the host. */
export interface ProviderGap {
  readonly host: Host;
  readonly period: ProviderPeriod;
  readonly days: number;
  /** `早 24 天` */
  readonly early: string;
  /** The provider's period has ended already. */
  readonly isOver: boolean;
}

/** Null where the provider does not end first, or renews the host by itself. */
export function providerGap({ host, until }: PromisedHost, now: number): ProviderGap | null {
  const period = providerPeriod(host, now);
  const days = daysMissing(period, until);
  const early = earlyText(period, until);
  if (period === null || days === null || early === null) return null;

  return { host, period, days, early, isOver: period.end < now };
}

/** `云端 2027-02-03 早 24 天`, `云端已于 2026-11-22 过期`. */
export function gapText({ period, early, isOver }: ProviderGap): string {
  const end = formatDate(period.end);
  if (!isOver) return `云端 ${end} ${early}`;
  return `云端已于 ${end} 过期${period.renewal === "failed" ? `，${RENEWAL_FAILED}` : ""}`;
}

interface GapWarning {
  readonly tone: "warning" | "danger";
  readonly text: string;
}

/** What to know before the hosts are promised: periods that are over, then those that end early. */
export function gapWarnings(promised: readonly PromisedHost[], now: number): GapWarning[] {
  const gaps = promised.flatMap((each) => providerGap(each, now) ?? []);
  const over = gaps.filter(({ isOver }) => isOver);
  const early = gaps.filter(({ isOver }) => !isOver);
  const isOne = promised.length === 1;

  const warnings = [
    { tone: "danger", text: isOne ? overSentence(over) : overOfSeveral(over) },
    { tone: "warning", text: isOne ? earlySentence(early) : earlyOfSeveral(early) },
  ] as const;
  return warnings.flatMap(({ tone, text }) => (text === null ? [] : [{ tone, text }]));
}

function overSentence([gap]: readonly ProviderGap[]): string | null {
  if (gap === undefined) return null;
  return `${gapText(gap)}。请尽快到云服务商处续费，否则用户将无法继续使用。`;
}

function overOfSeveral(gaps: readonly ProviderGap[]): string | null {
  const [first] = gaps;
  if (first === undefined) return null;
  return `其中 ${countHosts(gaps)} 台主机的云端已过期（如 ${hostTitle(first.host)}：${gapText(first)}）。请尽快到云服务商处续费，否则用户将无法继续使用。`;
}

function earlySentence([gap]: readonly ProviderGap[]): string | null {
  if (gap === undefined) return null;
  return `该主机的云端到期时间是 ${formatDate(gap.period.end)}，比用户到期${gap.early}。请在此之前到云服务商处续费，否则用户将无法继续使用。`;
}

function earlyOfSeveral(gaps: readonly ProviderGap[]): string | null {
  const first = gaps.toSorted((one, other) => other.days - one.days)[0];
  if (first === undefined) return null;
  return `其中 ${countHosts(gaps)} 台主机的云端到期早于用户到期（如 ${hostTitle(first.host)}：${gapText(first)}）。请在此之前到云服务商处续费，否则用户将无法继续使用。`;
}

/** A host that several clients have is promised several times. */
function countHosts(gaps: readonly ProviderGap[]): string {
  return formatNumber(new Set(gaps.map(({ host }) => host.id)).size);
}
