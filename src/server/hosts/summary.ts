import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { type RawBuilder, sql } from "kysely";
import { EXPIRY_MONTHS, type HostSummary, type RegionCounts } from "../../shared/host-summary.ts";
import type { HostStatus } from "../../shared/hosts.ts";
import { DAY_SECONDS, EXPIRING_SOON_DAYS } from "../../shared/time.ts";
import type { Deps } from "../core/deps.ts";
import type { Caller } from "../core/ports.ts";
import { isPrepaid } from "./filters.ts";
import { monthsFrom } from "./months.ts";
import { isVisibleAssignment, isVisibleHost, type Viewer } from "./scope.ts";

const MONTH_DAYS = 30;

/** Hosts of one state in one region. */
interface Place {
  readonly status: HostStatus;
  readonly region: string;
  readonly is_gone: boolean;
  readonly hosts: number;
  readonly unassigned: number;
}

/** Hosts whose ends have passed this many of the thresholds. */
interface Ending {
  readonly passed: number;
  readonly hosts: number;
}

/**
 * The caller's hosts in numbers. Gone hosts count only as gone for a super admin, and as hosts for whoever has them assigned.
 * The database groups them in one statement; the groups are few and are added up here.
 */
export async function summarizeHosts(deps: Pick<Deps, "em" | "clock">, { id, role }: Caller): Promise<HostSummary> {
  const viewer: Viewer = { id, role, now: deps.clock.now() };
  const isOperator = role === "super_admin";
  const months = monthsFrom(viewer.now, EXPIRY_MONTHS + 1);
  const until = { soon: viewer.now + EXPIRING_SOON_DAYS * DAY_SECONDS, month: viewer.now + MONTH_DAYS * DAY_SECONDS };
  const thresholds = [viewer.now, until.soon + 1, until.month + 1, ...months.slice(1).map(({ start }) => start)];
  thresholds.sort((one, other) => one - other);
  const { places, endings } = await groupHosts(deps.em, viewer, thresholds);

  const counted = isOperator ? places.filter((place) => !place.is_gone) : places;
  const inStatus = (status: HostStatus) => sum(counted.filter((place) => place.status === status));
  const ending = (from: number, to: number) =>
    sum(endings.filter(({ passed }) => isWithin(thresholds[passed - 1], from, to)));
  return {
    total: sum(counted),
    byStatus: {
      Running: inStatus("Running"),
      Stopped: inStatus("Stopped"),
      Starting: inStatus("Starting"),
      Stopping: inStatus("Stopping"),
      Rebooting: inStatus("Rebooting"),
      Unknown: inStatus("Unknown"),
    },
    expired: sum(endings.filter(({ passed }) => passed === 0)),
    expiringSoon: ending(viewer.now, until.soon),
    expiringMonth: ending(viewer.now, until.month),
    unassigned: isOperator ? counted.reduce((hosts, { unassigned }) => hosts + unassigned, 0) : null,
    gone: isOperator ? sum(places.filter((place) => place.is_gone)) : null,
    expiriesByMonth: months.slice(0, EXPIRY_MONTHS).map(({ name, start }, index) => ({
      month: name,
      count: ending(start, (months[index + 1]?.start ?? start) - 1),
    })),
    regions: countByRegion(counted),
  };
}

/** Two small groupings of one reading: a single one by everything would have to sort all hosts. */
async function groupHosts(
  em: SqlEntityManager,
  viewer: Viewer,
  thresholds: readonly number[],
): Promise<{ places: Place[]; endings: Ending[] }> {
  const isOperator = viewer.role === "super_admin";
  const { rows } = await sql<{ places: Place[]; endings: Ending[] }>`
    with seen as materialized (
      select h.status, h.region, h.gone_at is not null as is_gone, ${isOperator ? isAssigned() : sql`true`} as is_assigned,
        ${isOperator ? providerEnd() : assignmentEnd(viewer)} as ends_at
      from hosts h where ${isVisibleHost(viewer)}
    ), places as (
      select status, region, is_gone, count(*) as hosts, count(*) filter (where not is_assigned) as unassigned
      from seen group by 1, 2, 3
    ), endings as (
      select width_bucket(ends_at, ${[...thresholds]}::bigint[]) as passed, count(*) as hosts
      from seen where ends_at is not null ${isOperator ? sql`and not is_gone` : sql``} group by 1
    )
    select coalesce((select json_agg(p) from places p), '[]') as places,
      coalesce((select json_agg(e) from endings e), '[]') as endings
  `.execute(em.getKysely());
  return rows[0] ?? { places: [], endings: [] };
}

function countByRegion(places: readonly Place[]): RegionCounts[] {
  const regions = [...Map.groupBy(places, ({ region }) => region)].map(([region, its]) => {
    const Running = sum(its.filter(({ status }) => status === "Running"));
    const Stopped = sum(its.filter(({ status }) => status === "Stopped"));
    return { region, Running, Stopped, Other: sum(its) - Running - Stopped };
  });
  return regions.sort((one, other) => total(other) - total(one) || (one.region < other.region ? -1 : 1));
}

function providerEnd(): RawBuilder<unknown> {
  return sql`case when ${isPrepaid} then h.expire_time end`;
}

function assignmentEnd(viewer: Viewer): RawBuilder<unknown> {
  return sql`(select min(a.assigned_expire_time) from assignments a where a.host_id = h.id and ${isVisibleAssignment(viewer)})`;
}

function isAssigned(): RawBuilder<unknown> {
  return sql`exists (select 1 from assignments a where a.host_id = h.id and a.ended_at is null)`;
}

function sum(groups: readonly { readonly hosts: number }[]): number {
  return groups.reduce((all, { hosts }) => all + hosts, 0);
}

/** `threshold` stands for every end from it to the next one; undefined = no such end. */
function isWithin(threshold: number | undefined, from: number, to: number): boolean {
  return threshold !== undefined && threshold >= from && threshold <= to;
}

function total({ Running, Stopped, Other }: RegionCounts): number {
  return Running + Stopped + Other;
}
