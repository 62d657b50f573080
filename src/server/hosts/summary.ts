import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { type Expression, sql } from "kysely";
import { EXPIRY_MONTHS, type HostSummary, type RegionCounts } from "../../shared/host-summary.ts";
import type { HostStatus } from "../../shared/hosts.ts";
import { DAY_SECONDS, EXPIRING_SOON_DAYS } from "../../shared/time.ts";
import type { Deps } from "../core/deps.ts";
import type { Caller } from "../core/ports.ts";
import { kyselyOf } from "../database/kysely.ts";
import { providerEnd } from "./order.ts";
import { isVisibleHost, type Viewer, viewerOf, visibleAssignments } from "./scope.ts";

const MONTH_DAYS = 30;
const CHINA_OFFSET_MS = 8 * 3600 * 1000;

type HostGroup = Awaited<ReturnType<typeof groupHosts>>[number];

/** Counts of the caller's hosts. Gone hosts count only as gone for a super admin, and as hosts for those who have them assigned. */
export async function summarizeHosts(deps: Pick<Deps, "em" | "clock">, caller: Caller): Promise<HostSummary> {
  const viewer = viewerOf(deps, caller);
  const isOperator = viewer.role === "super_admin";
  const months = monthsFrom(viewer.now, EXPIRY_MONTHS + 1);
  const groups = await groupHosts(deps.em, viewer, [viewer.now, ...months.slice(1).map(({ start }) => start)]);
  const present = isOperator ? groups.filter(({ isGone }) => !isGone) : groups;
  const total = sum(present, "hosts");
  const assigned = {
    expiring7: sum(present, "assigned7"),
    expiring30: sum(present, "assigned30"),
    expired: sum(present, "assignedExpired"),
  };
  const ofProvider = {
    expiring7: sum(present, "provider7"),
    expiring30: sum(present, "provider30"),
    expired: sum(present, "providerExpired"),
  };
  const { expired, expiring7, expiring30 } = isOperator ? ofProvider : assigned;
  return {
    total,
    byStatus: countByStatus(present),
    expired,
    expiringSoon: expiring7,
    expiringMonth: expiring30,
    // A client sees the end of the own assignment in place of the provider's.
    provider: viewer.role === "client" ? assigned : ofProvider,
    assigned,
    unassigned: isOperator ? sum(present, "unassigned") : null,
    gone: isOperator ? sum(groups, "hosts") - total : null,
    expiriesByMonth: months.slice(0, EXPIRY_MONTHS).map(({ name }, index) => {
      const ending = present.filter(({ month }) => month === index + 1);
      return { month: name, count: sum(ending, "hosts") };
    }),
    regions: countByRegion(present),
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

function sum(groups: readonly HostGroup[], count: Exclude<keyof HostGroup, "region" | "status" | "isGone" | "month">) {
  return groups.reduce((all, group) => all + group[count], 0);
}

/** The month of `now` and those that follow, as China counts them: `2026-12`, and its first moment. Both times in Unix seconds. */
function monthsFrom(now: number, count: number) {
  const today = new Date(now * 1000 + CHINA_OFFSET_MS);
  return Array.from({ length: count }, (_, index) => {
    const first = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + index, 1));
    return { name: first.toISOString().slice(0, 7), start: (first.getTime() - CHINA_OFFSET_MS) / 1000 };
  });
}

/** `month` counts from 1 for the first of `monthStarts` (Unix seconds); 0 = has ended, null = no end. */
async function groupHosts(em: SqlEntityManager, viewer: Viewer, monthStarts: readonly number[]) {
  const { now } = viewer;
  const [in7Days, in30Days] = [now + EXPIRING_SOON_DAYS * DAY_SECONDS, now + MONTH_DAYS * DAY_SECONDS];
  const ends = visibleAssignments(viewer)
    .groupBy("a.host")
    .select((eb) => {
      const endsBy = (until: number) => eb.between("a.assignedExpireTime", now, until);
      return [
        "a.host as hostId",
        eb.fn.min("a.assignedExpireTime").as("firstEnd"),
        eb.fn<boolean>("bool_or", [eb("a.assignedExpireTime", "<", now)]).as("isExpired"),
        eb.fn<boolean>("bool_or", [endsBy(in7Days)]).as("endsIn7"),
        eb.fn<boolean>("bool_or", [endsBy(in30Days)]).as("endsIn30"),
      ];
    });
  const seen = kyselyOf(em)
    .selectFrom("hosts as h")
    .leftJoin(ends.as("own"), "own.hostId", "h.id")
    .where(isVisibleHost(viewer))
    .select(["h.status", "h.region", "own.hostId", "own.isExpired", "own.endsIn7", "own.endsIn30"])
    .select((eb) => {
      const end: Expression<number | null> = viewer.role === "super_admin" ? providerEnd() : eb.ref("own.firstEnd");
      return [
        eb("h.goneAt", "is not", null).as("isGone"),
        providerEnd().as("providerEnd"),
        sql<number | null>`width_bucket(${end}, ${sql.val([...monthStarts])}::bigint[])`.as("month"),
      ];
    });
  return await kyselyOf(em)
    .selectFrom(seen.as("s"))
    .groupBy(["s.region", "s.status", "s.isGone", "s.month"])
    .select(["s.region", "s.status", "s.isGone", "s.month"])
    .select((eb) => {
      const hosts = eb.fn.countAll<number>();
      const endsBy = (until: number) => eb.between("s.providerEnd", now, until);
      return [
        hosts.as("hosts"),
        hosts.filterWhere("s.hostId", "is", null).as("unassigned"),
        hosts.filterWhere("s.providerEnd", "<", now).as("providerExpired"),
        hosts.filterWhere(endsBy(in7Days)).as("provider7"),
        hosts.filterWhere(endsBy(in30Days)).as("provider30"),
        hosts.filterWhere("s.isExpired", "=", true).as("assignedExpired"),
        hosts.filterWhere("s.endsIn7", "=", true).as("assigned7"),
        hosts.filterWhere("s.endsIn30", "=", true).as("assigned30"),
      ];
    })
    .execute();
}
