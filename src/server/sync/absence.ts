import type { HeldReason } from "../../shared/held-hosts.ts";
import { MASS_REMOVAL } from "../../shared/sync.ts";
import { type Partition, partitionKey } from "../provider/uhost-api.ts";

/** `unavailable`: the region is closed to the account, or the provider does not know the project. */
export type Reading = "complete" | "empty" | "incomplete" | "unavailable";

export type Verdict = "keep" | "hold" | "gone";

/** How long a partition must stay empty before its hosts are gone, in seconds. */
export const EMPTY_CONFIRM_SECONDS = 600;
const MASS_REMOVAL_LIMIT = { hosts: 5, share: 0.3 } as const;

interface Evidence {
  readonly reading: Reading;
  /** The provider knows none of the partition's missing hosts by id. */
  readonly isAbsent: boolean;
  /** When the host was first held, in Unix seconds; null when it is not held. */
  readonly heldAt: number | null;
  readonly now: number;
}

export function judgeMissingHost({ reading, isAbsent, heldAt, now }: Evidence): Verdict {
  if (reading === "unavailable") return "hold";
  if (reading === "incomplete" || !isAbsent) return "keep";
  if (reading === "complete") return "gone";
  return heldAt !== null && now - heldAt >= EMPTY_CONFIRM_SECONDS ? "gone" : "hold";
}

/** Whether so many hosts would vanish at once that a wrong key or permission is more likely. */
export function isMassRemoval(gone: number, presentBefore: number): boolean {
  return gone >= MASS_REMOVAL_LIMIT.hosts && gone > presentBefore * MASS_REMOVAL_LIMIT.share;
}

export interface PartitionHosts<Host> {
  readonly partition: Partition;
  readonly hosts: readonly Host[];
  readonly ids: readonly string[];
}

export function groupByPartition<Host extends Partition & { readonly ucloudId: string }>(
  hosts: readonly Host[],
): PartitionHosts<Host>[] {
  const groups = [...Map.groupBy(hosts, partitionKey).values()];
  return groups.flatMap((group) => {
    const ids = group.map(({ ucloudId }) => ucloudId);
    return group.slice(0, 1).map(({ region, projectId }) => ({ partition: { region, projectId }, hosts: group, ids }));
  });
}

export interface MissingHost extends Partition {
  readonly id: string;
  readonly ucloudId: string;
  readonly heldAt: number | null;
  readonly heldReason: HeldReason | null;
  readonly isDismissed: boolean;
}

export interface HeldHost extends MissingHost {
  readonly reason: HeldReason;
}

interface AbsenceEvidence {
  /** By `partitionKey`; a partition without a reading counts as incomplete. */
  readonly readings: ReadonlyMap<string, { readonly reading: Reading }>;
  readonly isAbsent: (partition: Partition, ucloudIds: readonly string[]) => Promise<boolean>;
  readonly presentBefore: number;
  readonly now: number;
}

export interface AbsenceDecision {
  readonly gone: readonly MissingHost[];
  readonly held: readonly HeldHost[];
  readonly dismissed: readonly MissingHost[];
}

/** What a mass removal held waits for a person, also when fewer hosts are missing by now. */
export async function decideAbsences(
  missing: readonly MissingHost[],
  { readings, isAbsent, presentBefore, now }: AbsenceEvidence,
): Promise<AbsenceDecision> {
  const absent: MissingHost[] = [];
  const held: HeldHost[] = [];
  const dismissed: MissingHost[] = [];
  const judgePartition = async ({ partition, hosts, ids }: PartitionHosts<MissingHost>) => {
    const reading = readings.get(partitionKey(partition))?.reading ?? "incomplete";
    const isDecidable = reading === "complete" || reading === "empty";
    const areAbsent = isDecidable && (await isAbsent(partition, ids));
    for (const host of hosts) {
      // While the region was closed nobody knew whether the partition is empty.
      const heldAt = host.heldReason === "unavailable" ? null : host.heldAt;
      const verdict = judgeMissingHost({ reading, isAbsent: areAbsent, heldAt, now });
      if (verdict === "keep") continue;
      if (host.isDismissed) dismissed.push(host);
      else if (verdict === "gone" || host.heldReason === MASS_REMOVAL) absent.push(host);
      else held.push({ ...host, reason: reading === "empty" ? "empty" : "unavailable" });
    }
  };
  await Promise.all(groupByPartition(missing).map(judgePartition));
  const isMass = isMassRemoval(absent.length, presentBefore);
  const { waiting = [], gone = [] } = Object.groupBy(absent, ({ heldReason }) =>
    isMass || heldReason === MASS_REMOVAL ? "waiting" : "gone",
  );
  return { gone, held: [...held, ...waiting.map((host) => ({ ...host, reason: MASS_REMOVAL }))], dismissed };
}
