import { EXPIRY_MONTHS, type HostSummary, type RegionCounts } from "../../shared/host-summary.ts";
import type { HostStatus } from "../../shared/hosts.ts";
import type { Deps } from "../core/deps.ts";
import type { Caller } from "../core/ports.ts";
import { groupHosts, type HostGroup } from "./group-hosts.ts";
import { monthsFrom } from "./months.ts";
import { viewerOf } from "./scope.ts";

/** Counts of the caller's hosts. Gone hosts count only as gone for a super admin, and as hosts for those who have them assigned. */
export async function summarizeHosts(deps: Pick<Deps, "em" | "clock">, caller: Caller): Promise<HostSummary> {
  const viewer = viewerOf(deps, caller);
  const isOperator = viewer.role === "super_admin";
  const months = monthsFrom(viewer.now, EXPIRY_MONTHS + 1);
  const groups = await groupHosts(deps.em, viewer, [viewer.now, ...months.slice(1).map(({ start }) => start)]);
  const present = isOperator ? groups.filter(({ isGone }) => !isGone) : groups;
  const hostsWhere = (matches: (group: HostGroup) => boolean) => sum(present.filter(matches), "hosts");
  const inStatus = (status: HostStatus) => hostsWhere((group) => group.status === status);
  const assigned = {
    expiring7: sum(present, "assigned7"),
    expiring30: sum(present, "assigned30"),
    expired: sum(present, "assignedExpired"),
  };
  // A client sees the end of the own assignment in place of the provider's.
  const provider =
    viewer.role === "client"
      ? assigned
      : {
          expiring7: sum(present, "provider7"),
          expiring30: sum(present, "provider30"),
          expired: sum(present, "providerExpired"),
        };
  const { expired, expiring7, expiring30 } = isOperator ? provider : assigned;
  return {
    total: sum(present, "hosts"),
    byStatus: {
      Running: inStatus("Running"),
      Stopped: inStatus("Stopped"),
      Starting: inStatus("Starting"),
      Stopping: inStatus("Stopping"),
      Rebooting: inStatus("Rebooting"),
      Unknown: inStatus("Unknown"),
    },
    expired,
    expiringSoon: expiring7,
    expiringMonth: expiring30,
    provider,
    assigned,
    unassigned: isOperator ? sum(present, "unassigned") : null,
    gone: isOperator ? sum(groups, "hosts") - sum(present, "hosts") : null,
    expiriesByMonth: months.slice(0, EXPIRY_MONTHS).map(({ name }, index) => ({
      month: name,
      count: hostsWhere(({ month }) => month === index + 1),
    })),
    regions: countByRegion(present),
  };
}

/** Most hosts first. */
function countByRegion(groups: readonly HostGroup[]): RegionCounts[] {
  const regions = [...Map.groupBy(groups, ({ region }) => region)].map(([region, its]) => {
    const hostsIn = (wanted: HostStatus) =>
      sum(
        its.filter(({ status }) => status === wanted),
        "hosts",
      );
    const [total, Running, Stopped] = [sum(its, "hosts"), hostsIn("Running"), hostsIn("Stopped")];
    return { total, counts: { region, Running, Stopped, Other: total - Running - Stopped } };
  });
  regions.sort((one, other) => other.total - one.total || (one.counts.region < other.counts.region ? -1 : 1));
  return regions.map(({ counts }) => counts);
}

function sum(groups: readonly HostGroup[], count: Exclude<keyof HostGroup, "region" | "status" | "isGone" | "month">) {
  return groups.reduce((all, group) => all + group[count], 0);
}
