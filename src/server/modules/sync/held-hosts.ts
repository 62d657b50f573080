import { type SqlBool, sql } from "kysely";
import type { HeldHost, HeldHostList, ListHeldHostsInput } from "../../../shared/held-hosts.ts";
import { paginate } from "../../../shared/page.ts";
import type { Deps } from "../../platform/deps.ts";
import type { Caller } from "../../platform/trpc/caller.ts";
import { viewerOf } from "../hosts/access.ts";
import { hostFilter } from "../hosts/filters.ts";
import { type FoundHost, presentHost } from "../hosts/present.ts";
import { hostColumns } from "../hosts/queries.ts";

type HeldRow = FoundHost & { readonly held: Omit<HeldHost, "host"> };

export async function listHeldHosts(
  { em, clock }: Pick<Deps, "em" | "clock">,
  caller: Caller,
  input: ListHeldHostsInput,
): Promise<HeldHostList> {
  const viewer = viewerOf({ clock }, caller);
  const { configId, search, reason, limit, page } = input;
  const conditions = [
    sql<SqlBool>`h.missing_since is not null`,
    hostFilter(viewer, { configId, search }),
  ];
  if (reason !== undefined) conditions.push(sql`h.held_reason = ${reason}`);
  const wanted = sql.join(conditions, sql` and `);
  const order = sql`h.missing_since desc, h.sort_name, h.id`;
  // The page is found by ids alone: the details of all hosts before it would be read as well.
  const { rows } = await sql<{ readonly total: number; readonly hosts: HeldRow[] }>`
    select (select count(*)::int from hosts h where ${wanted}) as total, coalesce(json_agg(page), '[]') as hosts
    from (
      select ${hostColumns(viewer)}, json_build_object('configId', h.config_id, 'runId', h.held_run_id,
        'heldAt', h.missing_since, 'reason', h.held_reason) as held
      from hosts h
      where h.id in (
        select h.id from hosts h where ${wanted} order by ${order} limit ${limit} offset ${(page - 1) * limit}
      )
      order by ${order}
    ) page
  `.execute(em.getKysely());
  const [{ total, hosts } = { total: 0, hosts: [] }] = rows;
  return {
    hosts: hosts.map(({ held, ...host }) => ({ host: presentHost(host, viewer), ...held })),
    pagination: paginate(input, total),
  };
}
