import { type RawBuilder, sql } from "kysely";
import { HostStatus, type ListHostsInput } from "../../shared/hosts.ts";
import { PROVIDER_END } from "./filters.ts";
import { isVisibleAssignment, type Viewer } from "./scope.ts";

/** A total order of hosts `h`, so that pages neither repeat nor skip. Hosts without a value are last in both directions. */
export function orderOf(viewer: Viewer, { sort, order }: ListHostsInput): RawBuilder<unknown> {
  const direction = order === "desc" ? sql`desc` : sql`asc`;
  // Without "nulls last", which the index on names does not have.
  if (sort === "name") return sql`h.sort_name ${direction}, h.id ${direction}`;
  const keys = keysOf(viewer, sort).map((key) => sql`${key} ${direction} nulls last`);
  return sql`${sql.join(keys)}, h.sort_name, h.id`;
}

/** Only what the viewer is shown: the order of hidden dates would reveal them. */
function keysOf(viewer: Viewer, sort: Exclude<ListHostsInput["sort"], "name">): RawBuilder<unknown>[] {
  const isClient = viewer.role === "client";
  switch (sort) {
    case "status":
      return [sql`array_position(${[...HostStatus.options]}::text[], h.status)`];
    case "zone":
      return [sql`h.region collate "C"`, sql`h.zone collate "C"`];
    case "cpu":
    case "memory":
    case "disk":
      return [sql`${sql.ref(`h.${sort}`)}`];
    case "createTime":
      return [isClient ? ofOwnAssignment(viewer, sql`a.assigned_at`) : sql`h.create_time`];
    case "expireTime":
      return [isClient ? ofOwnAssignment(viewer, sql`a.assigned_expire_time`) : PROVIDER_END];
  }
}

function ofOwnAssignment(viewer: Viewer, date: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(select ${date} from assignments a where a.host_id = h.id and ${isVisibleAssignment(viewer)})`;
}
