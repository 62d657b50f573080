import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { sql } from "kysely";
import { EXPIRY_MONTHS, type HostSummary } from "../../../shared/host-summary.ts";
import { monthsFrom } from "../../../shared/shanghai.ts";
import { DAY_SECONDS, EXPIRING_SOON_DAYS } from "../../../shared/time.ts";
import type { Deps } from "../../platform/deps.ts";
import type { Caller } from "../../platform/trpc/caller.ts";
import { isVisibleAssignment, isVisibleHost, type Viewer, viewerOf } from "./access.ts";
import { PROVIDER_END } from "./filters.ts";

const MONTH_DAYS = 30;
const NO_HOSTS = {
  Running: 0,
  Stopped: 0,
  Starting: 0,
  Stopping: 0,
  Rebooting: 0,
  Unknown: 0,
} as const;

interface HostCounts extends Pick<HostSummary, "total" | "provider" | "assigned" | "regions"> {
  readonly unassigned: number;
  readonly held: number;
  readonly providerEndsFirst: number;
  readonly gone: number;
  readonly byStatus: Partial<HostSummary["byStatus"]> | null;
  readonly byMonth: Readonly<Record<string, number>> | null;
}

/** Counts of the caller's hosts. Gone hosts count only as gone for a super admin, and as hosts for those who have them assigned. */
export async function summarizeHosts(
  deps: Pick<Deps, "em" | "clock">,
  caller: Caller,
): Promise<HostSummary> {
  const viewer = viewerOf(deps, caller);
  const isSuper = viewer.role === "super_admin";
  const { total, provider, assigned, regions, ...counts } = await countHosts(deps.em, viewer);
  const { expired, expiring7, expiring30 } = isSuper ? provider : assigned;
  return {
    total,
    byStatus: { ...NO_HOSTS, ...counts.byStatus },
    expired,
    expiringSoon: expiring7,
    expiringMonth: expiring30,
    // A client sees the end of the own assignment in place of the provider's.
    provider: viewer.role === "client" ? assigned : provider,
    assigned,
    providerEndsFirst: viewer.role === "client" ? null : counts.providerEndsFirst,
    unassigned: isSuper ? counts.unassigned : null,
    gone: isSuper ? counts.gone : null,
    held: isSuper ? counts.held : null,
    expiriesByMonth: monthsFrom(viewer.now, EXPIRY_MONTHS).map((month) => ({
      month,
      count: counts.byMonth?.[month] ?? 0,
    })),
    regions,
  };
}

/** Months are those of src/shared/shanghai.ts, whatever the zone of the database. */
async function countHosts(em: SqlEntityManager, viewer: Viewer): Promise<HostCounts> {
  const { now } = viewer;
  const in7Days = now + EXPIRING_SOON_DAYS * DAY_SECONDS;
  const in30Days = now + MONTH_DAYS * DAY_SECONDS;
  const isSuper = viewer.role === "super_admin";
  const { rows } = await sql<HostCounts>`
    with visible as materialized (
      select h.region, h.status, h.gone_at, h.missing_since, ${PROVIDER_END} as provider_end, own.*
      from hosts h
      left join (
        select a.host_id, min(a.assigned_expire_time) as first_end,
          max(a.assigned_expire_time) as last_end, bool_or(a.assigned_expire_time < ${now}) as has_expired,
          bool_or(a.assigned_expire_time between ${now} and ${in7Days}) as ends_in_7,
          bool_or(a.assigned_expire_time between ${now} and ${in30Days}) as ends_in_30
        from assignments a where ${isVisibleAssignment(viewer)} group by a.host_id
      ) own on own.host_id = h.id
      where ${isVisibleHost(viewer)}
    ),
    host as (select * from visible where ${isSuper ? sql`gone_at is null` : sql`true`})
    select count(*) as total, (select count(*) from visible where gone_at is not null) as gone,
      count(*) filter (where first_end is null) as unassigned, count(*) filter (where missing_since is not null) as held,
      count(*) filter (where last_end > provider_end) as "providerEndsFirst",
      json_build_object(
        'expired', count(*) filter (where provider_end < ${now}),
        'expiring7', count(*) filter (where provider_end between ${now} and ${in7Days}),
        'expiring30', count(*) filter (where provider_end between ${now} and ${in30Days})
      ) as provider,
      json_build_object(
        'expired', count(*) filter (where has_expired),
        'expiring7', count(*) filter (where ends_in_7),
        'expiring30', count(*) filter (where ends_in_30)
      ) as assigned,
      (select json_object_agg(status, hosts) from (select status, count(*) as hosts from host group by status) s) as "byStatus",
      (select coalesce(json_agg(r), '[]') from (
        select region, count(*) filter (where status = 'Running') as "Running",
          count(*) filter (where status = 'Stopped') as "Stopped",
          count(*) filter (where status not in ('Running', 'Stopped')) as "Other"
        from host group by region order by count(*) desc, region collate "C"
      ) r) as regions,
      (select json_object_agg(month, hosts) from (
        select to_char(to_timestamp(ends_at) at time zone interval '8 hours', 'YYYY-MM') as month, count(*) as hosts
        from (select ${isSuper ? sql`provider_end` : sql`first_end`} as ends_at from host) e
        where ends_at >= ${now} group by 1
      ) m) as "byMonth"
    from host
  `.execute(em.getKysely());
  const [counts] = rows;
  if (counts === undefined) throw new Error("a query without groups has no row");
  return counts;
}
