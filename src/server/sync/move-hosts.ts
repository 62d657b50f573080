import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { sql } from "kysely";
import { publishHostEvents } from "../hosts/publish-events.ts";
import { saveCounters } from "./progress.ts";
import type { RunContext } from "./run-context.ts";
import type { MovedHost, Survey } from "./survey.ts";
import { type ReadPlace, readingOf } from "./traverse.ts";

/** Rows moved in one transaction. */
const CHUNK = 1_000;

/**
 * Writes where hosts are now that were somewhere else: in another project, say. While pages arrive a host stays where its row says, for
 * that place may still list it; here it has been read to its end without them.
 */
export async function moveHosts(
  run: RunContext,
  { read, surveys }: { readonly read: readonly ReadPlace[]; readonly surveys: readonly Survey[] },
): Promise<void> {
  const moved = surveys.flatMap(({ place, elsewhere }) =>
    readingOf(read, place)?.outcome === "complete" ? elsewhere : [],
  );
  for (let start = 0; start < moved.length; start += CHUNK) await moveChunk(run, moved.slice(start, start + CHUNK));
}

async function moveChunk({ deps, lease, progress, startedAt }: RunContext, hosts: readonly MovedHost[]): Promise<void> {
  const at = deps.clock.now();
  const counted = await lease.write(async (em) => {
    const rows = await moveRows(em, { configId: lease.configId, hosts, startedAt });
    const { counters, errors } = progress;
    // What else was new of them was counted when they were written.
    const updated = rows.filter((row) => row.was_unchanged).length;
    const counts = { updated: counters.updated + updated, unchanged: counters.unchanged - updated };
    await saveCounters(em, lease, { ...counters, ...counts }, errors);
    await publishHostEvents(em, { configId: lease.configId, hostIds: rows.map(({ id }) => id) }, at);
    return updated;
  });
  progress.add({ updated: counted, unchanged: -counted });
}

interface MovedRow {
  readonly id: string;
  /** Nothing was written of it in this run before. */
  readonly was_unchanged: boolean;
}

/**
 * Only rows that nobody has written since they were read, as in `markRows`: somebody else may know a newer place. They were
 * met since the run began; to say later would keep out what is heard of them by then.
 */
async function moveRows(
  em: SqlEntityManager,
  moved: {
    readonly configId: string;
    readonly hosts: readonly MovedHost[];
    readonly startedAt: number;
  },
): Promise<MovedRow[]> {
  const { configId, hosts, startedAt } = moved;
  const { rows } = await sql<MovedRow>`
    with moved as (
      select * from unnest(
        ${hosts.map(({ id }) => id)}::uuid[], ${hosts.map(({ version }) => version)}::text[],
        ${hosts.map(({ to }) => to.region)}::text[], ${hosts.map(({ to }) => to.projectId)}::text[]
      ) as t (id, version, region, project_id)
    ), locked as (
      select h.id, h.changed_at < ${startedAt} as was_unchanged
      from hosts h join moved on h.id = moved.id and h.xmin::text = moved.version
      where h.config_id = ${configId} and h.gone_at is null
      order by h.ucloud_id collate "C" for update of h
    )
    update hosts set region = moved.region, project_id = moved.project_id, changed_at = greatest(changed_at, ${startedAt})
    from moved join locked using (id) where hosts.id = moved.id
    returning hosts.id, locked.was_unchanged
  `.execute(em.getKysely());
  return rows;
}
