import type { SqlEntityManager } from "@mikro-orm/postgresql";
import type { Expression, SqlBool } from "kysely";
import type {
  HostChangeKind,
  ListRecentChangesInput,
  ListSyncRunChangesInput,
  RecentChangeList,
  SyncRunChangeList,
} from "../../../shared/host-history.ts";
import { paginate } from "../../../shared/page.ts";
import { jsonb, jsonTextAt } from "../../platform/database/expressions.ts";
import { kyselyOf } from "../../platform/database/kysely.ts";
import { containsPattern } from "../../platform/database/sql.ts";
import { lowestIdAt } from "../../platform/id-generator.ts";
import { getSyncRun } from "../sync/queries.ts";
import type { ChangeExpressions } from "./access.ts";
import type { HistoryDeps } from "./deps.ts";

/** What a run did to hosts so far, sorted by kind. Throws NOT_FOUND. */
export async function listSyncRunChanges(
  { em }: HistoryDeps,
  input: ListSyncRunChangesInput,
): Promise<SyncRunChangeList> {
  const { id, page, limit } = input;
  await getSyncRun({ em }, { id });

  const ofRun = filterChanges(em, input).where("c.runId", "=", id);
  const total = await countChanges(ofRun);
  // The order of the index: by kind, then as they were written.
  const idsOfPage = ofRun
    .select("c.id")
    .orderBy("c.kind")
    .orderBy("c.id")
    .limit(limit)
    .offset((page - 1) * limit);
  const changes = await selectWithHosts(em)
    .where("c.id", "in", idsOfPage)
    .orderBy("c.kind")
    .orderBy("c.id")
    .execute();
  return { changes, pagination: paginate(input, total) };
}

/**
 * What happened to all hosts, newest first. The ids of changes carry their time, so a page and the
 * bounds of a time are found in the primary key, however many changes there are. The other filters
 * have no index, which every sync would have to write: they read the changes of the time. Of a
 * million changes that takes less than a second, and a search some seconds.
 */
export async function listRecentChanges(
  { em }: HistoryDeps,
  input: ListRecentChangesInput,
): Promise<RecentChangeList> {
  const { configId, from, to, page, limit } = input;

  let matching = filterChanges(em, input);
  if (from !== undefined) matching = matching.where("c.id", ">=", lowestIdAt(from));
  if (to !== undefined) matching = matching.where("c.id", "<", lowestIdAt(to + 1));
  if (configId !== undefined) matching = matching.where((eb) => concernsConfig(eb, configId));

  const total = await countChanges(matching);
  // To find out that a page is empty, all changes would be read once more.
  if (total === 0) return { changes: [], pagination: paginate(input, total) };

  const idsOfPage = matching
    .select("c.id")
    .orderBy("c.id", "desc")
    .limit(limit)
    .offset((page - 1) * limit);
  const changes = await selectWithHosts(em)
    .select(["c.id", "c.at", "c.runId"])
    .where("c.id", "in", idsOfPage)
    .orderBy("c.id", "desc")
    .execute();
  return { changes, pagination: paginate(input, total) };
}

async function countChanges(changes: ReturnType<typeof filterChanges>): Promise<number> {
  const { total } = await changes
    .select((eb) => eb.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  return total;
}

/** Changes with the present names of their hosts. */
function selectWithHosts(em: SqlEntityManager) {
  return kyselyOf(em)
    .selectFrom("host_changes as c")
    .innerJoin("hosts as h", "h.id", "c.hostId")
    .select(["c.hostId", "h.ucloudId", "h.name", "c.kind", "c.changes"]);
}

interface ChangeFilter {
  readonly kind?: HostChangeKind | undefined;
  readonly search?: string | undefined;
}

/** What both lists are narrowed to. */
function filterChanges(em: SqlEntityManager, { kind, search = "" }: ChangeFilter) {
  const text = search.trim();

  let changes = kyselyOf(em).selectFrom("host_changes as c");
  if (kind !== undefined) changes = changes.where("c.kind", "=", kind);
  if (text !== "") changes = changes.where((eb) => matchesSearch(eb, text));
  return changes;
}

/**
 * Finds the present name and the id of the host, and the values before and after the change. To
 * take the values out of each change is slow, so the text of the whole change is looked at first.
 */
function matchesSearch(eb: ChangeExpressions, search: string): Expression<SqlBool> {
  const pattern = eb.fn<string>("lower", [eb.val(containsPattern(search))]);
  const matches = (text: Expression<string>) => eb(eb.fn<string>("lower", [text]), "like", pattern);
  const hosts = eb.selectFrom("hosts as h").select("h.id").where("h.searchText", "like", pattern);
  const changes = eb.ref("c.changes");

  return eb.or([
    eb("c.hostId", "in", hosts),
    eb.and([
      matches(eb.cast<string>(changes, "text")),
      eb.or([matches(jsonTextAt(changes, "$[*].from")), matches(jsonTextAt(changes, "$[*].to"))]),
    ]),
  ]);
}

const KINDS_OF_LEAVING = ["moved", "gone"] as const;

/** The configuration has the host now, or the host left it with this change. */
function concernsConfig(eb: ChangeExpressions, configId: string): Expression<SqlBool> {
  const hosts = eb.selectFrom("hosts as h").select("h.id").where("h.config", "=", configId);
  const leaving = jsonb([{ field: "configId", from: configId }]);
  const changes = eb.ref("c.changes").$castTo<object>();

  return eb.or([
    eb("c.hostId", "in", hosts),
    eb.and([eb("c.kind", "in", KINDS_OF_LEAVING), eb(changes, "@>", leaving)]),
  ]);
}
