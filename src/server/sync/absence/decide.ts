import type { Partition } from "../run/partitions.ts";
import { partitionKey } from "../run/partitions.ts";
import { isMassRemoval, judgeMissingHost, type LookUp, type Reading } from "./policy.ts";

/** A present host of a configuration that did not appear. */
export interface MissingHost extends Partition {
  readonly id: string;
  readonly ucloudId: string;
  /** Unix seconds; null when it is not held. */
  readonly missingSince: number | null;
}

export interface AbsenceEvidence {
  /** By `partitionKey`; a partition without a reading counts as incomplete. */
  readonly readings: ReadonlyMap<string, Reading>;
  /** Asks for a partition's missing hosts by id. */
  readonly lookUp: (partition: Partition, ucloudIds: readonly string[]) => Promise<LookUp>;
  /** Present hosts of the configuration before. */
  readonly presentBefore: number;
  /** Unix seconds. */
  readonly now: number;
}

export interface AbsenceDecision {
  readonly gone: readonly MissingHost[];
  readonly held: readonly MissingHost[];
  /** How many hosts are held because too many would be gone at once. */
  readonly massRemoval: number;
}

/** Judges all missing hosts of one configuration. */
export async function decideAbsences(
  missing: readonly MissingHost[],
  { readings, lookUp, presentBefore, now }: AbsenceEvidence,
): Promise<AbsenceDecision> {
  const gone: MissingHost[] = [];
  const held: MissingHost[] = [];
  const partitions = [...Map.groupBy(missing, partitionKey)];
  await Promise.all(
    partitions.map(async ([key, [first, ...others]]) => {
      if (first === undefined) return;
      const hosts = [first, ...others];
      const reading = readings.get(key) ?? "incomplete";
      const isDecidable = reading === "complete" || reading === "empty";
      const ids = hosts.map(({ ucloudId }) => ucloudId);
      const answer = isDecidable ? await lookUp(first, ids) : "not-asked";
      for (const host of hosts) {
        const verdict = judgeMissingHost({ reading, lookUp: answer, missingSince: host.missingSince, now });
        if (verdict === "gone") gone.push(host);
        if (verdict === "hold") held.push(host);
      }
    }),
  );
  if (!isMassRemoval(gone.length, presentBefore)) return { gone, held, massRemoval: 0 };
  return { gone: [], held: [...held, ...gone], massRemoval: gone.length };
}
