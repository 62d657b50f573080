import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { sql } from "kysely";
import { isEmptinessConfirmed, type Place } from "./rules.ts";

/**
 * Notes that a place where hosts were was found empty, and tells whether that has been so for long enough to be believed. Whoever next
 * meets a host there takes the note back. `now` in Unix seconds.
 */
export async function isEmptyForLong(
  em: SqlEntityManager,
  { configId, place, now }: { readonly configId: string; readonly place: Place; readonly now: number },
): Promise<boolean> {
  const { rows } = await sql<{ empty_since: number }>`
    insert into sync_partitions (config_id, project_id, region, read_at, empty_since)
    values (${configId}, ${place.projectId}, ${place.region}, 0, ${now})
    on conflict (config_id, project_id, region) do update
      set empty_since = coalesce(sync_partitions.empty_since, excluded.empty_since)
    returning empty_since
  `.execute(em.getKysely());
  return isEmptinessConfirmed(rows[0]?.empty_since ?? null, now);
}

/** Where a note says that there are no hosts. */
export async function readEmptyPlaces(em: SqlEntityManager, configId: string): Promise<Place[]> {
  const { rows } = await sql<{ project_id: string; region: string }>`
    select project_id, region from sync_partitions where config_id = ${configId} and empty_since is not null
  `.execute(em.getKysely());
  return rows.map(({ project_id, region }) => ({ projectId: project_id, region }));
}

/** Hosts were met in these places. */
export async function forgetEmptiness(
  em: SqlEntityManager,
  { configId, places }: { readonly configId: string; readonly places: readonly Place[] },
): Promise<void> {
  await sql`
    update sync_partitions set empty_since = null
    where config_id = ${configId} and empty_since is not null and (project_id, region) in (
      select * from unnest(
        ${places.map(({ projectId }) => projectId)}::text[], ${places.map(({ region }) => region)}::text[]
      )
    )
  `.execute(em.getKysely());
}
