import type { SqlEntityManager } from "@mikro-orm/postgresql";
import type { Expression, InferResult, SqlBool } from "kysely";
import {
  EXPIRY_MONTHS,
  type ExpiryCounts,
  type HostSummary,
  type ProviderExpiryCounts,
} from "../../../shared/host-summary.ts";
import { monthsFrom, parseLocalTime } from "../../../shared/shanghai.ts";
import { DAY_SECONDS, EXPIRING_SOON_DAYS } from "../../../shared/time.ts";
import { bucketOf } from "../../platform/database/expressions.ts";
import { kyselyOf } from "../../platform/database/kysely.ts";
import type { Caller } from "../../platform/trpc/caller.ts";
import {
  isVisibleAssignment,
  isVisibleHost,
  providerEnd,
  type Viewer,
  viewerOf,
} from "./access.ts";
import type { HostsDeps } from "./deps.ts";

const MONTH_DAYS = 30;
const NO_HOSTS = {
  Running: 0,
  Stopped: 0,
  Starting: 0,
  Stopping: 0,
  Rebooting: 0,
  Unknown: 0,
} as const;

/**
 * Counts of the caller's hosts. Gone hosts count only as gone for a super admin, and as hosts for
 * those who have them assigned.
 *
 * The database reads every host once, and counts those that have the same region, status and month
 * of expiry together. These are a few hundred groups, whose sums are made here. For a super admin
 * the gone ones are counted apart, by their index: they become more with every year, and nothing of
 * them is shown but how many there are.
 */
export async function summarizeHosts(
  { em, clock }: HostsDeps,
  caller: Caller,
): Promise<HostSummary> {
  const viewer = viewerOf({ clock }, caller);
  const listed = await countGroups(em, viewer).execute();
  const isSuper = viewer.role === "super_admin";
  const isClient = viewer.role === "client";
  const gone = isSuper ? await countGone(em).executeTakeFirstOrThrow() : null;

  const provider = {
    expired: sum(listed, (group) => group.providerExpired),
    expiring7: sum(listed, (group) => group.providerExpiring7),
    expiring30: sum(listed, (group) => group.providerExpiring30),
    renewing7: sum(listed, (group) => group.providerRenewing7),
    renewing30: sum(listed, (group) => group.providerRenewing30),
  };
  const assigned = {
    expired: sum(listed, (group) => group.assignedExpired),
    expiring7: sum(listed, (group) => group.assignedExpiring7),
    expiring30: sum(listed, (group) => group.assignedExpiring30),
  };
  const byDate = isSuper ? countByDate(provider) : assigned;

  return {
    total: sum(listed, (group) => group.hosts),
    byStatus: countByStatus(listed),
    expired: byDate.expired,
    expiringSoon: byDate.expiring7,
    expiringMonth: byDate.expiring30,
    // A client sees the end of the own assignment in place of the provider's.
    provider: isClient ? { ...assigned, renewing7: 0, renewing30: 0 } : provider,
    assigned,
    providerEndsFirst: isClient ? null : sum(listed, (group) => group.providerEndsFirst),
    unassigned: isSuper ? sum(listed, (group) => group.unassigned) : null,
    gone: gone?.hosts ?? null,
    held: isSuper ? sum(listed, (group) => group.held) : null,
    expiriesByMonth: countByMonth(listed, viewer.now),
    regions: countByRegion(listed),
  };
}

/** Whether they are renewed or not. */
function countByDate(provider: ProviderExpiryCounts): ExpiryCounts {
  const { expired, expiring7, expiring30, renewing7, renewing30 } = provider;
  return { expired, expiring7: expiring7 + renewing7, expiring30: expiring30 + renewing30 };
}

type Group = InferResult<ReturnType<typeof countGroups>>[number];

export function countGone(em: SqlEntityManager) {
  return kyselyOf(em)
    .selectFrom("hosts as h")
    .select((eb) => eb.fn.countAll<number>().as("hosts"))
    .where("h.goneAt", "is not", null);
}

export function countGroups(em: SqlEntityManager, viewer: Viewer) {
  const in7Days = viewer.now + EXPIRING_SOON_DAYS * DAY_SECONDS;
  const in30Days = viewer.now + MONTH_DAYS * DAY_SECONDS;

  return kyselyOf(em)
    .selectFrom(hostsWithEnds(em, viewer).as("host"))
    .select(["host.region", "host.status", "host.month"])
    .select((eb) => {
      const now = eb.val(viewer.now);
      const ends7 = eb.between("host.providerEnd", now, in7Days);
      const ends30 = eb.between("host.providerEnd", now, in30Days);
      const endsFirst = eb("host.lastEnd", ">", eb.ref("host.providerEnd"));
      const renewed = eb("host.autoRenew", "is", true);
      const notRenewed = eb("host.autoRenew", "is not", true);
      const countIf = (condition: Expression<SqlBool>) =>
        eb.fn.countAll<number>().filterWhere(condition);
      return [
        eb.fn.countAll<number>().as("hosts"),
        countIf(eb("host.firstEnd", "is", null)).as("unassigned"),
        countIf(eb("host.heldAt", "is not", null)).as("held"),
        countIf(eb.and([endsFirst, notRenewed])).as("providerEndsFirst"),
        countIf(eb("host.providerEnd", "<", now)).as("providerExpired"),
        countIf(eb.and([ends7, notRenewed])).as("providerExpiring7"),
        countIf(eb.and([ends30, notRenewed])).as("providerExpiring30"),
        countIf(eb.and([ends7, renewed])).as("providerRenewing7"),
        countIf(eb.and([ends30, renewed])).as("providerRenewing30"),
        countIf(eb("host.firstEnd", "<", now)).as("assignedExpired"),
        countIf(eb("host.nextEnd", "<=", in7Days)).as("assignedExpiring7"),
        countIf(eb("host.nextEnd", "<=", in30Days)).as("assignedExpiring30"),
      ];
    })
    .groupBy(["host.region", "host.status", "host.month"]);
}

/**
 * The hosts of the viewer's lists, with the ends of those of their assignments that the viewer may
 * know of.
 */
function hostsWithEnds(em: SqlEntityManager, viewer: Viewer) {
  const monthStarts = [viewer.now, ...startsOfNextMonths(viewer.now)];
  const isSuper = viewer.role === "super_admin";

  return kyselyOf(em)
    .selectFrom("hosts as h")
    .leftJoin(
      (eb) =>
        eb
          .selectFrom("assignments as a")
          .select((inner) => [
            "a.host",
            inner.fn.min("a.assignedExpireTime").as("firstEnd"),
            inner.fn.max("a.assignedExpireTime").as("lastEnd"),
            inner.fn
              .min("a.assignedExpireTime")
              .filterWhere("a.assignedExpireTime", ">=", viewer.now)
              .as("nextEnd"),
          ])
          .where((inner) => isVisibleAssignment(inner, viewer))
          .groupBy("a.host")
          .as("ends"),
      (join) => join.onRef("ends.host", "=", "h.id"),
    )
    .select(["h.region", "h.status", "h.heldAt", "h.autoRenew"])
    .select(["ends.firstEnd", "ends.lastEnd", "ends.nextEnd"])
    .select((eb) => {
      const end = isSuper ? providerEnd(eb) : eb.ref("ends.firstEnd");
      return [providerEnd(eb).as("providerEnd"), bucketOf(end, monthStarts).as("month")];
    })
    .where((eb) => (isSuper ? eb("h.goneAt", "is", null) : isVisibleHost(eb, viewer)));
}

/** Unix seconds. The first moments of the months after this one, as they are in China. */
function startsOfNextMonths(now: number): number[] {
  const [, ...next] = monthsFrom(now, EXPIRY_MONTHS + 1);
  return next.map((month) => parseLocalTime(`${month}-01T00:00`) ?? Number.MAX_SAFE_INTEGER);
}

function countByStatus(groups: readonly Group[]): HostSummary["byStatus"] {
  const counts: HostSummary["byStatus"] = { ...NO_HOSTS };
  for (const { status, hosts } of groups) counts[status] += hosts;
  return counts;
}

/** `month` of a group is 1 for the rest of this month, 2 for the next one, and so on. */
function countByMonth(groups: readonly Group[], now: number): HostSummary["expiriesByMonth"] {
  return monthsFrom(now, EXPIRY_MONTHS).map((month, index) => {
    const ofMonth = groups.filter((group) => group.month === index + 1);
    return { month, count: sum(ofMonth, (group) => group.hosts) };
  });
}

/** Those with the most hosts first. */
function countByRegion(groups: readonly Group[]): HostSummary["regions"] {
  const regions = Map.groupBy(groups, (group) => group.region);
  const counts = [...regions].map(([region, ofRegion]) => {
    const { Running, Stopped, ...others } = countByStatus(ofRegion);
    const Other = Object.values(others).reduce((total, hosts) => total + hosts, 0);
    return { region, Running, Stopped, Other };
  });

  const sizeOf = ({ Running, Stopped, Other }: (typeof counts)[number]) =>
    Running + Stopped + Other;
  return counts.sort((a, b) => sizeOf(b) - sizeOf(a) || (a.region < b.region ? -1 : 1));
}

function sum(groups: readonly Group[], count: (group: Group) => number): number {
  return groups.reduce((total, group) => total + count(group), 0);
}
