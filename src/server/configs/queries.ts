import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { sql } from "kysely";
import type { SyncRunRecord } from "../sync/present.ts";

/** A configuration and its latest run; the sealed key is not among the columns. */
export interface ConfigRecord {
  readonly id: string;
  readonly name: string;
  readonly public_key: string;
  readonly api_url: string;
  readonly default_region: string;
  readonly project_ids: string[];
  readonly is_default: boolean;
  readonly is_active: boolean;
  readonly remark: string | null;
  readonly created_at: number;
  readonly last_sync: SyncRunRecord | null;
}

/** The default one first, then in the order in which they were made. With `id` only that one. */
export async function selectConfigs(em: SqlEntityManager, id?: string): Promise<ConfigRecord[]> {
  const { rows } = await sql<ConfigRecord>`
    select c.id, c.name, c.public_key, c.api_url, c.default_region, c.project_ids, c.is_default, c.is_active,
      c.remark, c.created_at, to_jsonb(run) as last_sync
    from configs c
    left join lateral (
      select * from sync_runs r where r.config_id = c.id order by r.id desc limit 1
    ) run on true
    where ${id === undefined ? sql`true` : sql`c.id = ${id}`}
    order by c.is_default desc, c.id
  `.execute(em.getKysely());
  return rows;
}
