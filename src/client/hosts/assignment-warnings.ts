import type { Host } from "@shared/hosts.ts";
import { expiryState } from "@shared/time.ts";
import { currentSeconds, formatExpiry } from "@/lib/format";
import { billedUntil } from "./host-expiry";
import { hostTitle } from "./host-tab";

type Assignment = {
  /** "" while nobody is chosen. */
  userId: string;
  /** Unix seconds. */
  end: number;
  /** Of one that is known to be there: that it is replaced is the purpose. */
  isChange?: boolean;
};

/** What to think of before these hosts are handed out. */
export function assignmentWarnings(hosts: readonly Host[], { userId, end, isChange = false }: Assignment): string[] {
  const warnings = [
    isChange ? null : replacementWarning(hosts, userId),
    pastEndWarning(end),
    providerEndWarning(hosts, end),
  ];
  return warnings.filter((warning) => warning !== null);
}

/** Null unless the user has some of the hosts already. */
function replacementWarning(hosts: readonly Host[], userId: string): string | null {
  const periods = hosts.flatMap(({ users }) => users.filter(({ id }) => id === userId));
  const [first] = periods;
  if (first === undefined) return null;
  const which = hosts.length === 1 ? "该主机" : `其中 ${periods.length} 台主机`;
  const until = periods.length === 1 ? `（${formatExpiry(first.assignedExpireTime)}）` : "";
  return `${which}已分配给此用户，原有的有效期${until}将被这次的有效期替换。`;
}

/** Null while there is time left. A period that is over may be wanted, to write down what was, but hardly without knowing. */
function pastEndWarning(end: number): string | null {
  const isOver = expiryState(end, currentSeconds()) === "expired";
  return isOver ? "该有效期已经结束，用户会立即看到“已过期”。" : null;
}

/** Null unless an end in Unix seconds lies behind what the provider was paid for. */
export function providerEndWarning(hosts: readonly Host[], end: number): string | null {
  const sooner = hosts.filter((host) => (billedUntil("super_admin", host) ?? Number.POSITIVE_INFINITY) < end);
  const [first] = sooner;
  if (first === undefined) return null;
  if (hosts.length === 1) {
    return `该主机的云端到期时间是 ${formatExpiry(first.expireTime)}，早于分配的到期时间。请在此之前到云服务商处续费，否则用户将无法继续使用。`;
  }
  return `其中 ${sooner.length} 台主机的云端到期时间早于分配的到期时间（如 ${hostTitle(first)}：${formatExpiry(first.expireTime)}），请留意到云服务商处续费。`;
}
