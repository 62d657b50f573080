import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { sql } from "kysely";
import { type Partition, partitionKey } from "../run/partitions.ts";
import { isMassRemoval, judgeMissingHost, type LookUp, type Reading } from "./policy.ts";

/** A present host of a configuration that did not appear. */
export interface MissingHost extends Partition {
  readonly id: string;
  readonly ucloudId: string;
  /** Unix seconds; null when it is not held. */
  readonly missingSince: number | null;
}

/** Present hosts of a configuration that are not among these ids of the provider. */
export async function findMissingHosts(
  em: SqlEntityManager,
  configId: string,
  seen: ReadonlySet<string>,
): Promise<MissingHost[]> {
  // `except` stays fast for any number of ids; an anti-join may compare every pair.
  const { rows } = await sql<MissingHost>`
    with missing as materialized (
      select ucloud_id from hosts where config_id = ${configId} and gone_at is null
      except select unnest(${[...seen]}::text[])
    )
    select h.id, h.ucloud_id as "ucloudId", h.region, h.project_id as "projectId", h.missing_since as "missingSince"
    from missing m join hosts h on h.ucloud_id = m.ucloud_id
  `.execute(em.getKysely());
  return rows;
}

/** Each partition of these hosts once. */
export function partitionsOf(hosts: readonly MissingHost[]): Partition[] {
  const partitions = hosts.map(({ region, projectId }) => ({ region, projectId }));
  return [...new Map(partitions.map((partition) => [partitionKey(partition), partition])).values()];
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
  /** Held as well, because too many would be gone at once. */
  readonly massRemoval: readonly MissingHost[];
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
  if (isMassRemoval(gone.length, presentBefore)) return { gone: [], held, massRemoval: gone };
  return { gone, held, massRemoval: [] };
}
