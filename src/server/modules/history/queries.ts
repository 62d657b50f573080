import type { SqlEntityManager } from "@mikro-orm/postgresql";
import type { AliasableExpression, Expression, ExpressionBuilder, Kysely, SqlBool } from "kysely";
import { v5 as derivedId } from "uuid";
import {
  HistoryField,
  type HostHistory,
  type HostHistoryEntry,
  type HostHistoryKind,
  type ListHostHistoryInput,
  type ListSyncRunChangesInput,
  type SyncRunChangeList,
} from "../../../shared/host-history.ts";
import { paginate } from "../../../shared/page.ts";
import { isClient } from "../../../shared/roles.ts";
import { type ColumnTables, columnsOf } from "../../platform/database/columns.ts";
import { jsonTextAt } from "../../platform/database/expressions.ts";
import { kyselyOf, type Tables } from "../../platform/database/kysely.ts";
import { anyOf, containsPattern } from "../../platform/database/sql.ts";
import type { Deps } from "../../platform/deps.ts";
import type { Caller } from "../../platform/trpc/caller.ts";
import { showsAddresses, viewerOf } from "../hosts/access.ts";
import { getHost } from "../hosts/queries.ts";
import { findScope } from "../renewals/access.ts";
import { getSyncRun } from "../sync/queries.ts";
import {
  type ChangeExpressions,
  CLIENT_FIELDS,
  type HistoryViewer,
  isVisibleAssignmentAct,
  isVisibleChange,
} from "./access.ts";
import { presentAssignmentAct, presentChange, presentRenewalAct } from "./present.ts";

type ReadDeps = Pick<Deps, "em" | "clock">;

/**
 * In which order acts follow each other within a second. A host that is handed over leaves its user
 * before the next one has it; only an assignment that begins and ends in one second ends last.
 */
const STEPS = { change: 0, end: 1, start: 2, request: 3, decision: 4, endOfShort: 5 } as const;

/**
 * What happened to a host, newest first: the changes that sync stored, and the acts of people,
 * which are read from assignments and renewals. A page is found by ids first, over all of these.
 */
export async function listHostHistory(
  deps: ReadDeps,
  caller: Caller,
  input: ListHostHistoryInput,
): Promise<HostHistory> {
  await getHost(deps, caller, { id: input.id });
  const viewer = await historyViewerOf(deps, caller, input.id);

  const found = entriesOf(deps.em, viewer, input);
  const { total } = await found
    .select((eb) => eb.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  const page = await found
    .select(["e.id", "e.kind", "e.at"])
    .orderBy("e.at", "desc")
    .orderBy("e.step", "desc")
    .orderBy("e.id", "desc")
    .limit(input.limit)
    .offset((input.page - 1) * input.limit)
    .execute();
  return {
    entries: await readEntries(deps.em, viewer, page),
    pagination: paginate(input, total),
  };
}

async function historyViewerOf(
  { em, clock }: ReadDeps,
  caller: Caller,
  hostId: string,
): Promise<HistoryViewer> {
  const viewer = viewerOf({ clock }, caller);
  const clientIds = await findScope(em, viewer);
  if (!isClient(caller.role)) return { ...viewer, clientIds, fields: HistoryField.options };

  const host = await columnsOf(em)
    .selectFrom("hosts as h")
    .select((eb) => showsAddresses(eb, viewer).as("showsAddresses"))
    .where("h.id", "=", hostId)
    .executeTakeFirst();
  const fields = host?.showsAddresses ? [...CLIENT_FIELDS, "ipSet" as const] : CLIENT_FIELDS;
  return { ...viewer, clientIds, fields };
}

/**
 * All entries of a host that the viewer may see, as `e`. Of those of one second, `STEPS` says which
 * came later.
 */
function entriesOf(
  em: SqlEntityManager,
  viewer: HistoryViewer,
  { id: hostId, kind }: Pick<ListHostHistoryInput, "id" | "kind">,
) {
  const db = columnsOf(em);
  const { assigned, unassigned } = selectAssignmentActs(db, viewer, hostId);
  const { requested, decided } = selectRenewalActs(db, viewer, hostId);

  const all = selectChanges(db, viewer, hostId)
    .unionAll(assigned)
    .unionAll(requested)
    .unionAll(decided)
    .unionAll(unassigned);
  const entries = db.selectFrom(all.as("e"));
  return kind === undefined ? entries : entries.where("e.kind", "=", kind);
}

function selectChanges(db: Kysely<ColumnTables>, viewer: HistoryViewer, hostId: string) {
  return db
    .selectFrom("host_changes as c")
    .where("c.host_id", "=", hostId)
    .where((eb) => isVisibleChange(eb, viewer))
    .select((eb) => [
      "c.id",
      kindOfChange(eb, viewer).as("kind"),
      "c.at",
      eb.lit<number>(STEPS.change).as("step"),
    ]);
}

/** Configuration and project are hidden from clients, so to them nothing has moved. */
function kindOfChange(
  eb: ChangeExpressions,
  { role }: HistoryViewer,
): AliasableExpression<HostHistoryKind> {
  const kind = eb.ref("c.kind").$castTo<HostHistoryKind>();
  if (!isClient(role)) return kind;
  return eb
    .case()
    .when("c.kind", "=", "moved")
    .then(eb.val<HostHistoryKind>("changed"))
    .else(kind)
    .end();
}

function selectAssignmentActs(db: Kysely<ColumnTables>, viewer: HistoryViewer, hostId: string) {
  const { clientIds } = viewer;
  let assignments = db
    .selectFrom("assignments as a")
    .where("a.host_id", "=", hostId)
    .where((eb) => isVisibleAssignmentAct(eb, viewer));
  if (clientIds !== "all") assignments = assignments.where("a.user_id", "=", anyOf(clientIds));

  const assigned = assignments.select((eb) => [
    "a.id",
    eb.val<HostHistoryKind>("assigned").as("kind"),
    "a.created_at as at",
    eb.lit<number>(STEPS.start).as("step"),
  ]);
  const unassigned = assignments
    .where("a.ended_at", "is not", null)
    .select((eb) => [
      "a.id",
      eb.val<HostHistoryKind>("unassigned").as("kind"),
      eb.fn.coalesce("a.ended_at", "a.created_at").as("at"),
      eb
        .case()
        .when("a.ended_at", "=", eb.ref("a.created_at"))
        .then(eb.lit<number>(STEPS.endOfShort))
        .else(eb.lit<number>(STEPS.end))
        .end()
        .as("step"),
    ]);
  return { assigned, unassigned };
}

function selectRenewalActs(db: Kysely<ColumnTables>, { clientIds }: HistoryViewer, hostId: string) {
  let renewals = db.selectFrom("renewals as r").where("r.host_id", "=", hostId);
  if (clientIds !== "all") renewals = renewals.where("r.user_id", "=", anyOf(clientIds));

  const requested = renewals.select((eb) => [
    "r.id",
    eb.val<HostHistoryKind>("renewal_created").as("kind"),
    "r.created_at as at",
    eb.lit<number>(STEPS.request).as("step"),
  ]);
  const decided = renewals
    .where("r.status", "<>", "pending")
    .select((eb) => [
      "r.id",
      eb
        .fn<HostHistoryKind>("concat", [eb.cast<string>(eb.val("renewal_"), "text"), "r.status"])
        .as("kind"),
      eb.fn.coalesce("r.processed_at", "r.created_at").as("at"),
      eb.lit<number>(STEPS.decision).as("step"),
    ]);
  return { requested, decided };
}

interface FoundEntry {
  /** Of the change, the assignment or the renewal. */
  readonly id: string;
  readonly kind: HostHistoryKind;
  readonly at: number;
}

/** In the order in which they were found. */
async function readEntries(
  em: SqlEntityManager,
  viewer: HistoryViewer,
  found: readonly FoundEntry[],
): Promise<HostHistoryEntry[]> {
  const ids = found.map(({ id }) => id);
  const db = kyselyOf(em);
  const changes = await db
    .selectFrom("host_changes")
    .selectAll()
    .where("id", "=", anyOf(ids))
    .execute();
  const assignments = await db
    .selectFrom("assignments")
    .selectAll()
    .where("id", "=", anyOf(ids))
    .execute();
  const renewals = await db
    .selectFrom("renewals")
    .selectAll()
    .where("id", "=", anyOf(ids))
    .execute();

  const changesById = new Map(changes.map((row) => [row.id, row]));
  const assignmentsById = new Map(assignments.map((row) => [row.id, row]));
  const renewalsById = new Map(renewals.map((row) => [row.id, row]));

  return found.flatMap(({ id, kind, at }): HostHistoryEntry[] => {
    const change = changesById.get(id);
    if (change !== undefined) return [{ id, kind, at, ...presentChange(change, viewer) }];

    // One assignment and one renewal make several entries, each with an id of its own.
    const act = { id: derivedId(kind, id), kind, at, runId: null };
    const assignment = assignmentsById.get(id);
    if (assignment !== undefined) {
      return [{ ...act, ...presentAssignmentAct(assignment, kind, viewer) }];
    }
    const renewal = renewalsById.get(id);
    return renewal === undefined ? [] : [{ ...act, ...presentRenewalAct(renewal, kind, viewer) }];
  });
}

/** What a run did to hosts so far, sorted by kind. Throws NOT_FOUND. */
export async function listSyncRunChanges(
  { em }: Pick<Deps, "em">,
  input: ListSyncRunChangesInput,
): Promise<SyncRunChangeList> {
  await getSyncRun({ em }, { id: input.id });

  const search = input.search?.trim();
  let changes = kyselyOf(em).selectFrom("host_changes as c").where("c.runId", "=", input.id);
  if (input.kind !== undefined) changes = changes.where("c.kind", "=", input.kind);
  if (search) changes = changes.where((eb) => matchesSearch(eb, search));
  const { total } = await changes
    .select((eb) => eb.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  // The order of the index: by kind, then as they were written.
  const ids = changes
    .select("c.id")
    .orderBy("c.kind")
    .orderBy("c.id")
    .limit(input.limit)
    .offset((input.page - 1) * input.limit);
  const page = await kyselyOf(em)
    .selectFrom("host_changes as c")
    .innerJoin("hosts as h", "h.id", "c.hostId")
    .select(["c.hostId", "h.ucloudId", "h.name", "c.kind", "c.changes"])
    .where("c.id", "in", ids)
    .orderBy("c.kind")
    .orderBy("c.id")
    .execute();
  return { changes: page, pagination: paginate(input, total) };
}

type RunChangeExpressions = ExpressionBuilder<Tables & { c: Tables["host_changes"] }, "c">;

/** Finds the present name and the id of the host, and the values before and after the change. */
function matchesSearch(eb: RunChangeExpressions, search: string): Expression<SqlBool> {
  const pattern = eb.fn<string>("lower", [eb.val(containsPattern(search))]);
  const host = eb
    .selectFrom("hosts as h")
    .select("h.id")
    .whereRef("h.id", "=", "c.hostId")
    .where("h.searchText", "like", pattern);
  const hasValue = (path: string) =>
    eb(eb.fn<string>("lower", [jsonTextAt(eb.ref("c.changes"), path)]), "like", pattern);

  return eb.or([eb.exists(host), hasValue("$[*].from"), hasValue("$[*].to")]);
}
