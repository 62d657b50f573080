import { type RawBuilder, type SqlBool, sql } from "kysely";
import { type ListHostsInput, PREPAID_LABELS } from "../../shared/hosts.ts";
import { DAY_SECONDS } from "../../shared/time.ts";
import { containsPattern } from "../database/sql.ts";
import { isVisibleHost, type Viewer } from "./scope.ts";

/** Condition on hosts `h`: what this viewer asks for, of what there is for this viewer to see. */
export function isWanted(viewer: Viewer, input: ListHostsInput): RawBuilder<SqlBool> {
  const search = searchOf(input);
  return sql.join(
    [
      isVisibleHost(viewer),
      ...(search === "" ? [] : [matches(search)]),
      ...(input.status === undefined ? [] : [sql<SqlBool>`h.status = ${input.status}`]),
      ...(input.region === undefined ? [] : [sql<SqlBool>`h.region = ${input.region}`]),
      ...(viewer.role === "super_admin" ? operatorFilters(viewer, input) : []),
    ],
    sql` and `,
  );
}

/** What to search for; empty = everything. */
export function searchOf({ search }: Pick<ListHostsInput, "search">): string {
  return search?.trim() ?? "";
}

/** Hosts that are gone at the provider are out of the operator's way unless asked for; whoever has one assigned keeps seeing it. */
function operatorFilters(
  viewer: Viewer,
  { gone, configId, assigned, expiring, expired }: ListHostsInput,
): RawBuilder<SqlBool>[] {
  const live = sql`exists (select 1 from assignments a where a.host_id = h.id and a.ended_at is null)`;
  const until = viewer.now + (expiring ?? 0) * DAY_SECONDS;
  return [
    gone === true ? sql`h.gone_at is not null` : sql`h.gone_at is null`,
    ...(configId === undefined ? [] : [sql<SqlBool>`h.config_id = ${configId}`]),
    ...(assigned === undefined ? [] : [assigned ? sql<SqlBool>`${live}` : sql<SqlBool>`not ${live}`]),
    ...(expiring === undefined
      ? []
      : [sql<SqlBool>`${isPrepaid} and h.expire_time between ${viewer.now} and ${until}`]),
    // What has no end is not past it.
    ...(expired === undefined
      ? []
      : [sql<SqlBool>`coalesce(${isPrepaid} and h.expire_time < ${viewer.now}, false) = ${expired}`]),
  ];
}

/** Condition on hosts `h`: what is billed by time has no end that means anything, though the provider gives one. */
export const isPrepaid: RawBuilder<SqlBool> = sql`h.charge_type in (${sql.join([...PREPAID_LABELS.keys()].map(sql.lit))})`;

function matches(search: string): RawBuilder<SqlBool> {
  const pattern = containsPattern(search);
  const anywhere = sql<SqlBool>`h.search_text like lower(${pattern})`;
  if (!search.includes("\n")) return anywhere;
  // That text joins both fields by a line break; a match must not reach across it.
  return sql`${anywhere} and (lower(h.name) like lower(${pattern}) or lower(h.ucloud_id) like lower(${pattern}))`;
}
