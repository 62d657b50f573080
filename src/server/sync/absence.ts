import type { HeldReason } from "../../shared/held-hosts.ts";
import { MASS_REMOVAL } from "../../shared/sync.ts";
import { type Partition, partitionKey } from "../provider/uhost-api.ts";

/** `unavailable`: the region is closed to the account, or the provider does not know the project. */
export type Reading = "complete" | "empty" | "incomplete" | "unavailable";

/** Answer to a request for a partition's missing hosts by id. `absent`: none of them exists. */
export type Lookup = "absent" | "found" | "inconclusive" | "skipped";

export type Verdict = "keep" | "hold" | "gone";

/** How long a partition must stay empty before its hosts are gone, in seconds. */
export const EMPTY_CONFIRM_SECONDS = 600;
const MASS_REMOVAL_LIMIT = { hosts: 5, share: 0.3 } as const;

export interface Evidence {
  readonly reading: Reading;
  readonly lookup: Lookup;
  /** When the host was first held, in Unix seconds; null when it is not held. */
  readonly heldSince: number | null;
  readonly now: number;
}

export function judgeMissingHost({ reading, lookup, heldSince, now }: Evidence): Verdict {
  if (reading === "unavailable") return "hold";
  if (reading === "incomplete" || lookup !== "absent") return "keep";
  if (reading === "complete") return "gone";
  return heldSince !== null && now - heldSince >= EMPTY_CONFIRM_SECONDS ? "gone" : "hold";
}

/** Whether so many hosts would vanish at once that a wrong key or permission is more likely. */
export function isMassRemoval(gone: number, presentBefore: number): boolean {
  return gone >= MASS_REMOVAL_LIMIT.hosts && gone > presentBefore * MASS_REMOVAL_LIMIT.share;
}

export interface PartitionHosts<Host> extends Partition {
  readonly hosts: readonly Host[];
}

export function groupByPartition<Host extends Partition>(hosts: readonly Host[]): PartitionHosts<Host>[] {
  const groups = [...Map.groupBy(hosts, partitionKey).values()];
  return groups.flatMap((group) =>
    group.slice(0, 1).map(({ region, projectId }) => ({ region, projectId, hosts: group })),
  );
}

export interface MissingHost extends Partition {
  readonly id: string;
  readonly ucloudId: string;
  readonly heldSince: number | null;
  readonly heldReason: HeldReason | null;
  readonly isDismissed: boolean;
}

export interface HeldHost extends MissingHost {
  readonly reason: HeldReason;
}

interface AbsenceEvidence {
  /** By `partitionKey`; a partition without a reading counts as incomplete. */
  readonly readings: ReadonlyMap<string, { readonly reading: Reading }>;
  readonly verifyById: (partition: Partition, ucloudIds: readonly string[]) => Promise<Lookup>;
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
  { readings, verifyById, presentBefore, now }: AbsenceEvidence,
): Promise<AbsenceDecision> {
  const absent: MissingHost[] = [];
  const held: HeldHost[] = [];
  const dismissed: MissingHost[] = [];
  const judgePartition = async ({ hosts, ...partition }: PartitionHosts<MissingHost>) => {
    const reading = readings.get(partitionKey(partition))?.reading ?? "incomplete";
    const isDecidable = reading === "complete" || reading === "empty";
    const ids = hosts.map(({ ucloudId }) => ucloudId);
    const lookup = isDecidable ? await verifyById(partition, ids) : "skipped";
    for (const host of hosts) {
      const verdict = judgeMissingHost({ reading, lookup, heldSince: host.heldSince, now });
      if (verdict !== "keep" && host.isDismissed) dismissed.push(host);
      else if (verdict === "gone") absent.push(host);
      else if (verdict === "hold") held.push({ ...host, reason: reading === "empty" ? "empty" : "unavailable" });
    }
  };
  await Promise.all(groupByPartition(missing).map(judgePartition));
  const isMass = isMassRemoval(absent.length, presentBefore);
  const { waiting = [], gone = [] } = Object.groupBy(absent, ({ heldReason }) =>
    isMass || heldReason === MASS_REMOVAL ? "waiting" : "gone",
  );
  return { gone, held: [...held, ...waiting.map((host) => ({ ...host, reason: MASS_REMOVAL }))], dismissed };
}
