import type { SqlEntityManager } from "@mikro-orm/postgresql";
import type { InferResult } from "kysely";
import type {
  Activity,
  AuditList,
  ListActivityInput,
  ListAuditInput,
} from "../../../shared/audit.ts";
import { paginate } from "../../../shared/page.ts";
import { kyselyOf } from "../../platform/database/kysely.ts";
import { anyOf } from "../../platform/database/sql.ts";
import type { Caller } from "../../platform/trpc/caller.ts";
import { isOwnActivity } from "./access.ts";
import type { AuditLogDeps } from "./deps.ts";
import { filterEntries, matchesSearch } from "./filters.ts";
import { findPage } from "./page.ts";
import { presentActivity, presentEntry } from "./present.ts";
import { searchedSince } from "./search.ts";

/** An entry before it is presented. */
export type FoundEntry = InferResult<ReturnType<typeof selectEntries>>[number];

/** Newest first. */
export async function listAudit({ em }: AuditLogDeps, input: ListAuditInput): Promise<AuditList> {
  const from = await searchedSince(em, input);
  const { ids, total } = await findPage(em, filterEntries(em, { ...input, from }), input);
  const entries = await readEntries(em, ids);
  return { entries: entries.map(presentEntry), pagination: paginate(input, total) };
}

/** What was done with the own account in the last 90 days, newest first. */
export async function listActivity(
  { em, clock }: AuditLogDeps,
  caller: Caller,
  input: ListActivityInput,
): Promise<Activity> {
  const own = { userId: caller.id, now: clock.now() };
  const activity = kyselyOf(em)
    .selectFrom("audit_entries as e")
    .where((eb) => isOwnActivity(eb, own));

  const { ids, total } = await findPage(em, activity, input);
  const entries = await readEntries(em, ids);
  return {
    entries: entries.map((entry) => presentActivity(entry, caller)),
    pagination: paginate(input, total),
  };
}

/** Newest first. Those that a search does not find are left out. */
export async function readEntries(
  em: SqlEntityManager,
  ids: readonly string[],
  { search }: Pick<ListAuditInput, "search"> = {},
): Promise<FoundEntry[]> {
  if (ids.length === 0) return [];
  return await selectEntries(em)
    .where("e.id", "=", anyOf(ids))
    .where((eb) => matchesSearch(eb, search))
    .execute();
}

function selectEntries(em: SqlEntityManager) {
  return kyselyOf(em)
    .selectFrom("audit_entries as e")
    .select([
      "e.id",
      "e.at",
      "e.actorType",
      "e.actorId",
      "e.actorName",
      "e.tokenId",
      "e.tokenName",
      "e.action",
      "e.subjectType",
      "e.subjectId",
      "e.subjectLabel",
      "e.outcome",
      "e.ip",
      "e.userAgent",
      "e.requestId",
      "e.changes",
      "e.count",
    ])
    .orderBy("e.at", "desc")
    .orderBy("e.seq", "desc");
}
