import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { sql } from "kysely";
import { EXPIRY_MONTHS, type ExpiryCounts, type HostSummary, type RegionCounts } from "../../shared/host-summary.ts";
import type { HostStatus } from "../../shared/hosts.ts";
import { DAY_SECONDS, EXPIRING_SOON_DAYS } from "../../shared/time.ts";
import type { Deps } from "../core/deps.ts";
import type { Caller } from "../core/ports.ts";
import { PROVIDER_END } from "./filters.ts";
import { isVisibleAssignment, isVisibleHost, type Viewer, viewerOf } from "./scope.ts";

const MONTH_DAYS = 30;
const CHINA_OFFSET_MS = 8 * 3600 * 1000;

/** Numbers of hosts that have region, status and month in common. `month` counts from 1; 0 = has ended, null = no end. */
interface HostGroup {
  readonly region: string;
  readonly status: HostStatus;
  readonly isGone: boolean;
  readonly month: number | null;
  readonly hosts: number;
  readonly unassigned: number;
  readonly held: number;
  readonly provider: ExpiryCounts;
  readonly assigned: ExpiryCounts;
}

/** Counts of the caller's hosts. Gone hosts count only as gone for a super admin, and as hosts for those who have them assigned. */
export async function summarizeHosts(deps: Pick<Deps, "em" | "clock">, caller: Caller): Promise<HostSummary> {
  const viewer = viewerOf(deps, caller);
  const isOperator = viewer.role === "super_admin";
  const months = monthsFrom(viewer.now, EXPIRY_MONTHS + 1);
  const groups = await groupHosts(deps.em, viewer, [viewer.now, ...months.slice(1).map(({ start }) => start)]);
  const present = isOperator ? groups.filter(({ isGone }) => !isGone) : groups;
  const total = sum(present, "hosts");
  const provider = sumExpiries(present.map((group) => group.provider));
  const assigned = sumExpiries(present.map((group) => group.assigned));
  const { expired, expiring7, expiring30 } = isOperator ? provider : assigned;
  return {
    total,
    byStatus: countByStatus(present),
    expired,
    expiringSoon: expiring7,
    expiringMonth: expiring30,
    // A client sees the end of the own assignment in place of the provider's.
    provider: viewer.role === "client" ? assigned : provider,
    assigned,
    unassigned: isOperator ? sum(present, "unassigned") : null,
    gone: isOperator ? sum(groups, "hosts") - total : null,
    held: isOperator ? sum(present, "held") : null,
    expiriesByMonth: months.slice(0, EXPIRY_MONTHS).map(({ name }, index) => ({
      month: name,
      count: sum(
        present.filter(({ month }) => month === index + 1),
        "hosts",
      ),
    })),
    regions: countByRegion(present),
  };
}

function sum<Key extends string>(rows: readonly Readonly<Record<Key, number>>[], key: Key): number {
  return rows.reduce((total, row) => total + row[key], 0);
}

function sumExpiries(counts: readonly ExpiryCounts[]): ExpiryCounts {
  return {
    expired: sum(counts, "expired"),
    expiring7: sum(counts, "expiring7"),
    expiring30: sum(counts, "expiring30"),
  };
}

function countByStatus(groups: readonly HostGroup[]): Record<HostStatus, number> {
  const counts = { Running: 0, Stopped: 0, Starting: 0, Stopping: 0, Rebooting: 0, Unknown: 0 };
  for (const { status, hosts } of groups) counts[status] += hosts;
  return counts;
}

function countByRegion(groups: readonly HostGroup[]): RegionCounts[] {
  const regions = [...Map.groupBy(groups, ({ region }) => region)].map(([region, its]) => {
    const { Running, Stopped } = countByStatus(its);
    const total = sum(its, "hosts");
    return { total, counts: { region, Running, Stopped, Other: total - Running - Stopped } };
  });
  regions.sort((one, other) => other.total - one.total || (one.counts.region < other.counts.region ? -1 : 1));
  return regions.map(({ counts }) => counts);
}

/** The month of `now` and those that follow, as China counts them: `2026-12`, and its first moment. Both times in Unix seconds. */
function monthsFrom(now: number, count: number) {
  const today = new Date(now * 1000 + CHINA_OFFSET_MS);
  return Array.from({ length: count }, (_, index) => {
    const first = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + index, 1));
    return { name: first.toISOString().slice(0, 7), start: (first.getTime() - CHINA_OFFSET_MS) / 1000 };
  });
}

async function groupHosts(em: SqlEntityManager, viewer: Viewer, monthStarts: readonly number[]): Promise<HostGroup[]> {
  const { now } = viewer;
  const in7Days = now + EXPIRING_SOON_DAYS * DAY_SECONDS;
  const in30Days = now + MONTH_DAYS * DAY_SECONDS;
  const end = viewer.role === "super_admin" ? PROVIDER_END : sql`own.first_end`;
  const { rows } = await sql<HostGroup>`
    select region, status, "isGone", month, count(*) as hosts, count(*) filter (where first_end is null) as unassigned,
      count(*) filter (where missing_since is not null) as held,
      json_build_object(
        'expired', count(*) filter (where provider_end < ${now}),
        'expiring7', count(*) filter (where provider_end between ${now} and ${in7Days}),
        'expiring30', count(*) filter (where provider_end between ${now} and ${in30Days})
      ) as provider,
      json_build_object(
        'expired', count(*) filter (where has_expired),
        'expiring7', count(*) filter (where ends_in_7),
        'expiring30', count(*) filter (where ends_in_30)
      ) as assigned
    from (
      select h.region, h.status, h.gone_at is not null as "isGone", ${PROVIDER_END} as provider_end, h.missing_since, own.*,
        width_bucket(${end}, ${monthStarts}::bigint[]) as month
      from hosts h
      left join (
        select a.host_id, min(a.assigned_expire_time) as first_end, bool_or(a.assigned_expire_time < ${now}) as has_expired,
          bool_or(a.assigned_expire_time between ${now} and ${in7Days}) as ends_in_7,
          bool_or(a.assigned_expire_time between ${now} and ${in30Days}) as ends_in_30
        from assignments a where ${isVisibleAssignment(viewer)} group by a.host_id
      ) own on own.host_id = h.id
      where ${isVisibleHost(viewer)}
    ) host
    group by region, status, "isGone", month
  `.execute(em.getKysely());
  return rows;
}
