import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { type SqlBool, sql } from "kysely";
import type { HeldHostList, HeldHostsInput, HeldReason, ListHeldHostsInput } from "../../../shared/held-hosts.ts";
import { paginate } from "../../../shared/page.ts";
import { ConfigEntity } from "../../configs/entity.ts";
import { configNotFound } from "../../configs/queries.ts";
import type { Deps } from "../../core/deps.ts";
import type { Caller } from "../../core/ports.ts";
import { wantedHosts } from "../../hosts/filters.ts";
import { type FoundHost, presentHost } from "../../hosts/present.ts";
import { hostColumns } from "../../hosts/queries.ts";
import { viewerOf } from "../../hosts/scope.ts";
import { findStoredHosts, type StoredHost } from "../refresh/through-configs.ts";

interface HeldRow extends FoundHost {
  readonly configId: string;
  readonly runId: string | null;
  readonly heldAt: number;
  readonly reason: HeldReason;
}

export async function listHeldHosts(
  { em, clock }: Pick<Deps, "em" | "clock">,
  caller: Caller,
  input: ListHeldHostsInput,
): Promise<HeldHostList> {
  const viewer = viewerOf({ clock }, caller);
  const { configId, search, reason, limit, page } = input;
  const conditions = [sql<SqlBool>`h.missing_since is not null`, wantedHosts(viewer, { configId, search })];
  if (reason !== undefined) conditions.push(sql`h.held_reason = ${reason}`);
  const wanted = sql.join(conditions, sql` and `);
  const order = sql`h.missing_since desc, h.sort_name, h.id`;
  const { rows } = await sql<{ readonly total: number; readonly hosts: HeldRow[] }>`
    select (select count(*)::int from hosts h where ${wanted}) as total, coalesce(json_agg(page), '[]') as hosts
    from (
      select ${hostColumns(viewer)}, h.missing_since as "heldAt", h.held_run_id as "runId", h.held_reason as reason
      from hosts h where ${wanted} order by ${order} limit ${limit} offset ${(page - 1) * limit}
    ) page
  `.execute(em.getKysely());
  const [{ total, hosts } = { total: 0, hosts: [] }] = rows;
  return {
    hosts: hosts.map((row) => {
      const { configId: config, runId, heldAt, reason: why } = row;
      return { host: presentHost(row, viewer), configId: config, runId, heldAt, reason: why };
    }),
    pagination: paginate(input, total),
  };
}

export async function findNamedHosts(em: SqlEntityManager, input: HeldHostsInput): Promise<StoredHost[]> {
  if (input.all) await em.findOneOrFail(ConfigEntity, { id: input.configId }, { failHandler: configNotFound });
  const isNamed = input.all
    ? sql<SqlBool>`config_id = ${input.configId} and missing_since is not null`
    : sql<SqlBool>`id = any(${input.hostIds}::uuid[])`;
  return await findStoredHosts(em, isNamed);
}
