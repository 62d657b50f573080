import type { SqlEntityManager } from "@mikro-orm/postgresql";
import type { Expression, SqlBool } from "kysely";
import type { ExportAuditInput } from "../../../shared/audit.ts";
import { literals } from "../../platform/database/expressions.ts";
import { kyselyOf } from "../../platform/database/kysely.ts";
import { containsPattern } from "../../platform/database/sql.ts";
import type { EntryExpressions } from "./access.ts";

/** The entries `e` that the filters let through. */
export function filterEntries(em: SqlEntityManager, input: ExportAuditInput) {
  const { actorId, action, subjectType, subjectId, outcome, from, to } = input;

  let entries = kyselyOf(em).selectFrom("audit_entries as e");
  if (actorId !== undefined) entries = entries.where("e.actorId", "=", actorId);
  if (action !== undefined) entries = entries.where((eb) => isAction(eb, action));
  if (subjectType !== undefined) entries = entries.where("e.subjectType", "=", subjectType);
  if (subjectId !== undefined) entries = entries.where("e.subjectId", "=", subjectId);
  if (outcome !== undefined) entries = entries.where("e.outcome", "in", literals([outcome]));
  if (from !== undefined) entries = entries.where("e.at", ">=", from);
  if (to !== undefined) entries = entries.where("e.at", "<=", to);
  return entries.where((eb) => matchesSearch(eb, input.search));
}

/** `hosts` is all that begins with `hosts.`: a range of the index, as `/` comes after the dot. */
function isAction(eb: EntryExpressions, action: string): Expression<SqlBool> {
  if (action.includes(".")) return eb("e.action", "=", action);
  return eb.and([eb("e.action", ">", `${action}.`), eb("e.action", "<", `${action}/`)]);
}

export function matchesSearch(
  eb: EntryExpressions,
  search: string | undefined,
): Expression<SqlBool> {
  const text = search?.trim() ?? "";
  if (text === "") return eb.lit(true);
  return eb("e.searchText", "like", eb.fn<string>("lower", [eb.val(containsPattern(text))]));
}
