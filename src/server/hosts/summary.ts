import { type RawBuilder, sql } from "kysely";
import type { HostSummary } from "../../shared/host-summary.ts";
import { HostStatus } from "../../shared/hosts.ts";
import { DAY_SECONDS, EXPIRING_SOON_DAYS } from "../../shared/time.ts";
import type { Deps } from "../core/deps.ts";
import type { Caller } from "../core/ports.ts";
import { isPrepaid } from "./queries.ts";
import { isVisibleAssignment, isVisibleHost, type Viewer } from "./scope.ts";

const MONTH_DAYS = 30;

interface Counts extends Record<HostStatus, number> {
  readonly total: number;
  readonly expired: number;
  readonly expiring_soon: number;
  readonly expiring_month: number;
  readonly unassigned: number;
  readonly gone: number;
}

/** The caller's hosts in numbers, in one statement. Gone hosts count only as gone for a super admin, and as hosts for whoever has them assigned. */
export async function summarizeHosts(deps: Pick<Deps, "em" | "clock">, { id, role }: Caller): Promise<HostSummary> {
  const viewer: Viewer = { id, role, now: deps.clock.now() };
  const isOperator = role === "super_admin";
  const { rows } = await sql<Counts>`
    with seen as (
      select h.status, h.gone_at, ${isOperator ? providerEnd() : assignmentEnd(viewer)} as ends_at,
        ${isOperator ? isAssigned() : sql`true`} as assigned
      from hosts h where ${isVisibleHost(viewer)}
    ), counted as (
      select * from seen ${isOperator ? sql`where gone_at is null` : sql``}
    )
    select count(*) as total,
      ${sql.join(HostStatus.options.map((status) => sql`count(*) filter (where status = ${status}) as ${sql.ref(status)}`))},
      count(*) filter (where ends_at < ${viewer.now}) as expired,
      count(*) filter (where ends_at between ${viewer.now} and ${viewer.now + EXPIRING_SOON_DAYS * DAY_SECONDS}) as expiring_soon,
      count(*) filter (where ends_at between ${viewer.now} and ${viewer.now + MONTH_DAYS * DAY_SECONDS}) as expiring_month,
      count(*) filter (where not assigned) as unassigned,
      (select count(*) from seen where gone_at is not null) as gone
    from counted
  `.execute(deps.em.getKysely());
  const counts = rows[0];
  if (counts === undefined) throw new Error("an aggregate without groups has one row");
  const { total, expired, expiring_soon: expiringSoon, expiring_month: expiringMonth } = counts;
  const { Running, Stopped, Starting, Stopping, Rebooting, Unknown } = counts;
  return {
    total,
    byStatus: { Running, Stopped, Starting, Stopping, Rebooting, Unknown },
    expired,
    expiringSoon,
    expiringMonth,
    unassigned: isOperator ? counts.unassigned : null,
    gone: isOperator ? counts.gone : null,
  };
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
