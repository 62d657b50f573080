import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { sql } from "kysely";
import { type Partition, partitionKey } from "../run/partitions.ts";
import type { MissingHost } from "./decide.ts";

/** Present hosts of a configuration that are not among these ids of the provider. */
export async function findMissingHosts(
  em: SqlEntityManager,
  configId: string,
  seen: ReadonlySet<string>,
): Promise<MissingHost[]> {
  // `<> all` would compare every pair before PostgreSQL 15.
  const { rows } = await sql<MissingHost>`
    select h.id, h.ucloud_id as "ucloudId", h.region, h.project_id as "projectId", h.missing_since as "missingSince"
    from hosts h
    where h.config_id = ${configId} and h.gone_at is null
      and not exists (select 1 from unnest(${[...seen]}::text[]) as seen (id) where seen.id = h.ucloud_id)
  `.execute(em.getKysely());
  return rows;
}

/** Each partition of these hosts once. */
export function partitionsOf(hosts: readonly MissingHost[]): Partition[] {
  const partitions = hosts.map(({ region, projectId }) => ({ region, projectId }));
  return [...new Map(partitions.map((partition) => [partitionKey(partition), partition])).values()];
}
