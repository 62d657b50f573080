import { trpc } from "@/api/trpc";

/** What a client has, and what ends with the account: counts. */
export interface Holdings {
  readonly hosts: number;
  readonly pending: number;
  readonly approved: number;
}

type HoldingsOptions = {
  /** Only clients have anything. */
  enabled: boolean;
};

/** Undefined while it is being counted, and where that failed. */
export function useHoldings(userId: string, { enabled }: HoldingsOptions): Holdings | undefined {
  const hosts = trpc.hosts.list.useQuery({ userId, limit: 1 }, { enabled });
  const renewals = trpc.renewals.list.useQuery({ userId, limit: 1 }, { enabled });
  if (hosts.data === undefined || renewals.data === undefined) return undefined;

  const { pending, approved } = renewals.data.counts;
  return { hosts: hosts.data.pagination.total, pending, approved };
}

/** `12 台主机、1 个待处理、1 个待付款的续费申请`; null for nothing. */
export function holdingsText({ hosts, pending, approved }: Holdings): string | null {
  const parts: string[] = [];
  if (hosts > 0) parts.push(`${hosts} 台主机`);
  if (pending > 0) parts.push(`${pending} 个待处理`);
  if (approved > 0) parts.push(`${approved} 个待付款`);
  if (parts.length === 0) return null;

  const requests = pending + approved > 0 ? "的续费申请" : "";
  return `${parts.join("、")}${requests}`;
}
