import type { SqlEntityManager } from "@mikro-orm/postgresql";
import type { AliasableExpression, InferResult, Kysely } from "kysely";
import {
  HistoryField,
  type HostHistory,
  type HostHistoryKind,
  type ListHostHistoryInput,
} from "../../../shared/host-history.ts";
import { paginate } from "../../../shared/page.ts";
import { isClient } from "../../../shared/roles.ts";
import { kyselyOf, type Tables } from "../../platform/database/kysely.ts";
import type { Caller } from "../../platform/trpc/caller.ts";
import { showsAddresses, viewerOf } from "../hosts/access.ts";
import { getHost } from "../hosts/queries.ts";
import { findScope } from "../renewals/access.ts";
import {
  type ChangeExpressions,
  CLIENT_FIELDS,
  type HistoryViewer,
  isVisibleAct,
  isVisibleChange,
} from "./access.ts";
import type { HistoryDeps } from "./deps.ts";
import { presentEntry } from "./present.ts";

/** An entry before fields are withheld. */
export type FoundEntry = InferResult<ReturnType<typeof selectEntries>>[number];

/** What happened to a host, newest first: the changes that sync stored, and the acts of people. */
export async function listHostHistory(
  deps: HistoryDeps,
  caller: Caller,
  input: ListHostHistoryInput,
): Promise<HostHistory> {
  await getHost(deps, caller, { id: input.id });
  const viewer = await historyViewerOf(deps, caller, input.id);

  const { total } = await entriesOf(deps.em, viewer, input)
    .select((eb) => eb.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  const rows = await selectEntries(deps.em, viewer, input)
    .orderBy("e.at", "desc")
    // Changes that are older than the sequence have no number.
    .orderBy("e.seq", (order) => order.desc().nullsLast())
    .orderBy("e.id", "desc")
    .limit(input.limit)
    .offset((input.page - 1) * input.limit)
    .execute();

  return {
    entries: rows.map((row) => presentEntry(row, viewer)),
    pagination: paginate(input, total),
  };
}

async function historyViewerOf(
  { em, clock }: HistoryDeps,
  caller: Caller,
  hostId: string,
): Promise<HistoryViewer> {
  const viewer = viewerOf({ clock }, caller);
  const clientIds = await findScope(em, viewer);
  if (!isClient(caller.role)) return { ...viewer, clientIds, fields: HistoryField.options };

  const host = await kyselyOf(em)
    .selectFrom("hosts as h")
    .select((eb) => showsAddresses(eb, viewer).as("showsAddresses"))
    .where("h.id", "=", hostId)
    .executeTakeFirst();
  const fields = host?.showsAddresses ? [...CLIENT_FIELDS, "ipSet" as const] : CLIENT_FIELDS;
  return { ...viewer, clientIds, fields };
}

type HistoryInput = Pick<ListHostHistoryInput, "id" | "kind">;

function selectEntries(em: SqlEntityManager, viewer: HistoryViewer, input: HistoryInput) {
  return entriesOf(em, viewer, input).selectAll("e");
}

/** All entries of a host that the viewer may see, as `e`. */
function entriesOf(
  em: SqlEntityManager,
  viewer: HistoryViewer,
  { id: hostId, kind }: HistoryInput,
) {
  const db = kyselyOf(em);
  const all = selectChanges(db, viewer, hostId).unionAll(selectActs(db, viewer, hostId));
  const entries = db.selectFrom(all.as("e"));
  return kind === undefined ? entries : entries.where("e.kind", "=", kind);
}

function selectChanges(db: Kysely<Tables>, viewer: HistoryViewer, hostId: string) {
  return db
    .selectFrom("host_changes as c")
    .where("c.hostId", "=", hostId)
    .where((eb) => isVisibleChange(eb, viewer))
    .select((eb) => [
      "c.id",
      "c.seq",
      "c.at",
      kindOfChange(eb, viewer).as("kind"),
      "c.runId",
      "c.actorId",
      "c.actorName",
      eb.cast<string | null>(eb.lit(null), "text").as("clientName"),
      "c.changes",
      eb.cast<string | null>(eb.lit(null), "text").as("remark"),
    ]);
}

function selectActs(db: Kysely<Tables>, viewer: HistoryViewer, hostId: string) {
  return db
    .selectFrom("host_acts as act")
    .where("act.hostId", "=", hostId)
    .where((eb) => isVisibleAct(eb, viewer))
    .select((eb) => [
      "act.id",
      "act.seq",
      "act.at",
      eb.ref("act.kind").$castTo<HostHistoryKind>().as("kind"),
      eb.cast<string | null>(eb.lit(null), "uuid").as("runId"),
      "act.actorId",
      "act.actorName",
      eb.ref("act.userName").$castTo<string | null>().as("clientName"),
      "act.changes",
      "act.remark",
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
