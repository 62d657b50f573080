import type { SyncRun } from "../../../src/shared/sync.ts";
import type { Queryable } from "../../harness/database.ts";

export interface HostRow {
  readonly id: string;
  readonly ucloud_id: string;
  readonly name: string;
  readonly provider_status: string;
  readonly cpu: number;
  readonly memory: number;
  readonly gone: boolean;
  readonly assignments: number;
}

/** Every row, by the provider's id. */
export type Table = ReadonlyMap<string, HostRow>;

export async function readTable(database: Queryable): Promise<Table> {
  const rows = await database.query(
    `select id, ucloud_id, name, provider_status, cpu, memory, gone_at is not null as gone,
       (select count(*)::int from assignments a where a.host_id = h.id and a.ended_at is null) as assignments
     from hosts h`,
  );
  return new Map(
    rows.map((row) => [
      String(row.ucloud_id),
      {
        id: String(row.id),
        ucloud_id: String(row.ucloud_id),
        name: String(row.name),
        provider_status: String(row.provider_status),
        cpu: Number(row.cpu),
        memory: Number(row.memory),
        gone: row.gone === true,
        assignments: Number(row.assignments),
      },
    ]),
  );
}

export interface ToldRun {
  readonly type: string;
  readonly run: SyncRun;
}

/** What was told of a run, in the order of telling. */
export async function toldOf(database: Queryable, runId: string): Promise<ToldRun[]> {
  const rows = await database.query(
    "select type, payload from events where type like 'sync.%' and payload->>'id' = $1 order by id",
    [runId],
  );
  return rows.map(({ type, payload }) => ({ type: String(type), run: payload as SyncRun }));
}

/** A world of its own for each story, without a new server for each. */
export async function emptyTables(database: Queryable): Promise<void> {
  for (const table of ["events", "assignments", "sync_runs", "sync_partitions", "hosts", "configs"]) {
    await database.query(`delete from ${table}`);
  }
}
