import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { sql } from "kysely";
import { BEFORE_ALL_IDS } from "../core/ids.ts";
import type { Lease } from "./lease.ts";
import type { Place } from "./rules.ts";

export interface CurrentHost {
  readonly id: string;
  readonly ucloudId: string;
  /** Of its row: another one once anybody has written that. */
  readonly version: string;
}

/** A host and the place that it was last met in. */
export interface PlacedHost extends CurrentHost {
  readonly place: Place;
}

const PAGE = 5_000;

/** How many hosts this configuration has that are not gone. */
export async function countCurrentHosts(em: SqlEntityManager, configId: string): Promise<number> {
  const { rows } = await sql<{ hosts: number }>`
    select count(*) as hosts from hosts where config_id = ${configId} and gone_at is null
  `.execute(em.getKysely());
  return rows[0]?.hosts ?? 0;
}

/** The configuration's present hosts in pages, so that many neither fill memory nor stop the event loop. */
export async function* currentHostsOf(lease: Lease): AsyncGenerator<PlacedHost[]> {
  let last = BEFORE_ALL_IDS;
  for (;;) {
    const page = await lease.read((em) => readPage(em, lease.configId, last));
    yield page;
    if (page.length < PAGE) return;
    last = page.at(-1)?.id ?? last;
  }
}

async function readPage(em: SqlEntityManager, configId: string, after: string): Promise<PlacedHost[]> {
  const { rows } = await sql<{ id: string; ucloud_id: string; version: string; region: string; project_id: string }>`
    select id, ucloud_id, xmin::text as version, region, project_id from hosts
    where config_id = ${configId} and gone_at is null and id > ${after}
    order by id limit ${PAGE}
  `.execute(em.getKysely());
  return rows.map(({ id, ucloud_id, version, region, project_id }) => ({
    id,
    ucloudId: ucloud_id,
    version,
    place: { region, projectId: project_id },
  }));
}
