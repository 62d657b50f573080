import type { EntityManager, SqlEntityManager } from "@mikro-orm/postgresql";
import { type SqlBool, sql } from "kysely";
import type { IdInput } from "../../shared/ids.ts";
import { paginate } from "../../shared/page.ts";
import type { ListSyncRunsInput, SyncRun, SyncRunList } from "../../shared/sync.ts";
import type { Deps } from "../core/deps.ts";
import { AppError } from "../core/errors.ts";
import { presentSyncRun, type SyncRunRecord } from "./present.ts";

export const SYNC_RUN_NOT_FOUND = "同步记录不存在";

/** Newest first. */
export async function listSyncRuns({ em }: Pick<Deps, "em">, input: ListSyncRunsInput): Promise<SyncRunList> {
  const wanted = sql.join(
    [
      sql<SqlBool>`true`,
      ...(input.configId === undefined ? [] : [sql<SqlBool>`config_id = ${input.configId}`]),
      ...(input.status === undefined ? [] : [sql<SqlBool>`status = ${input.status}`]),
    ],
    sql` and `,
  );
  const kysely = em.getKysely();
  const counted = await sql<{ total: number }>`select count(*) as total from sync_runs where ${wanted}`.execute(kysely);
  const { rows } = await sql<SyncRunRecord>`
    select * from sync_runs where ${wanted}
    order by id desc limit ${input.limit} offset ${(input.page - 1) * input.limit}
  `.execute(kysely);
  return { runs: rows.map(presentSyncRun), pagination: paginate(input, counted.rows[0]?.total ?? 0) };
}

export async function getSyncRun({ em }: Pick<Deps, "em">, { id }: IdInput): Promise<SyncRun> {
  const [run] = await findSyncRuns(em, [id]);
  if (run === undefined) throw new AppError("NOT_FOUND", SYNC_RUN_NOT_FOUND);
  return run;
}

/** In the order of their making. */
export async function findSyncRuns(em: EntityManager | SqlEntityManager, ids: readonly string[]): Promise<SyncRun[]> {
  const { rows } = await sql<SyncRunRecord>`
    select * from sync_runs where id = any(${[...ids]}::uuid[]) order by id
  `.execute(em.getKysely());
  return rows.map(presentSyncRun);
}
