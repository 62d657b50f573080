import { type RawBuilder, sql } from "kysely";
import { HostStatus, type ListHostsInput } from "../../shared/hosts.ts";
import { isPrepaid } from "./filters.ts";
import { isVisibleAssignment, type Viewer } from "./scope.ts";

/**
 * The order of hosts `h`. No two are equal in it, so that pages neither repeat nor skip: those that are alike in what they are
 * sorted by are in the order of names. What has no value is last in both directions.
 */
export function orderOf(viewer: Viewer, { sort, order }: ListHostsInput): RawBuilder<unknown> {
  const direction = order === "desc" ? sql` desc` : sql``;
  if (sort === "name") return sql`h.sort_name${direction}, h.id${direction}`;
  const keys = keysOf(viewer, sort).map((key) => sql`${key}${direction} nulls last`);
  return sql`${sql.join(keys)}, h.sort_name, h.id`;
}

/** By nothing that the viewer is not shown: the order of dates tells of dates. */
function keysOf(viewer: Viewer, sort: Exclude<ListHostsInput["sort"], "name">): RawBuilder<unknown>[] {
  switch (sort) {
    case "status":
      return [sql`array_position(${STATUSES}, h.status)`];
    case "zone":
      return [sql`h.region collate "C"`, sql`h.zone collate "C"`];
    case "cpu":
    case "memory":
    case "disk":
      return [sql.ref(`h.${sort}`)];
    case "createTime":
      return [viewer.role === "client" ? ofOwnAssignment(viewer, "assigned_at") : sql`h.create_time`];
    case "expireTime":
      return [
        viewer.role === "client"
          ? ofOwnAssignment(viewer, "assigned_expire_time")
          : sql`case when ${isPrepaid} then h.expire_time end`,
      ];
  }
}

const STATUSES = sql`array[${sql.join(HostStatus.options.map((status) => sql.lit(status)))}]`;

/** A client has a host once at a time. */
function ofOwnAssignment(viewer: Viewer, column: "assigned_at" | "assigned_expire_time"): RawBuilder<unknown> {
  return sql`(select ${sql.ref(`a.${column}`)} from assignments a where a.host_id = h.id and ${isVisibleAssignment(viewer)})`;
}
