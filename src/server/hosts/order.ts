import { type Expression, sql } from "kysely";
import { HostStatus, type ListHostsInput } from "../../shared/hosts.ts";
import { isPrepaid } from "./filters.ts";
import { onHosts, type Viewer, visibleAssignments } from "./scope.ts";

/** A total order, so that pages neither repeat nor skip. Hosts without a value are last in both directions. */
export function orderOf(viewer: Viewer, { sort, order }: ListHostsInput): Expression<unknown>[] {
  const direction = order === "desc" ? sql` desc` : sql``;
  const [name, id] = [onHosts.ref("h.sortName"), onHosts.ref("h.id")];
  // Without "nulls last", which the index on names does not have.
  if (sort === "name") return [sql`${name}${direction}`, sql`${id}${direction}`];
  return [...keysOf(viewer, sort).map((key) => sql`${key}${direction} nulls last`), name, id];
}

/** Only what the viewer is shown: the order of hidden dates would reveal them. */
function keysOf(viewer: Viewer, sort: Exclude<ListHostsInput["sort"], "name">): Expression<unknown>[] {
  const isClient = viewer.role === "client";
  switch (sort) {
    case "status":
      return [sql`array_position(${sql.val([...HostStatus.options])}::text[], ${onHosts.ref("h.status")})`];
    case "zone":
      return [sql`${onHosts.ref("h.region")} collate "C"`, sql`${onHosts.ref("h.zone")} collate "C"`];
    case "cpu":
    case "memory":
    case "disk":
      return [onHosts.ref(`h.${sort}`)];
    case "createTime":
      return [isClient ? ofOwnAssignment(viewer, "a.assignedAt") : onHosts.ref("h.createTime")];
    case "expireTime":
      return [isClient ? ofOwnAssignment(viewer, "a.assignedExpireTime") : providerEnd()];
  }
}

/** Unix seconds, null for hosts billed by time. */
export function providerEnd() {
  return onHosts.case().when(isPrepaid()).then(onHosts.ref("h.expireTime")).end();
}

function ofOwnAssignment(viewer: Viewer, date: "a.assignedAt" | "a.assignedExpireTime"): Expression<unknown> {
  return visibleAssignments(viewer).select(date).where("a.host", "=", onHosts.ref("h.id"));
}
