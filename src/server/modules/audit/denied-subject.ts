import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { z } from "zod";
import type { AuditSubject } from "../../../shared/audit.ts";
import { Id } from "../../../shared/ids.ts";
import { kyselyOf } from "../../platform/database/kysely.ts";

// A call that is refused by role ends before any act has read its row. Its entry names the row that
// the input names, so that a super admin reads whose password somebody tried to reset. The caller
// learns nothing of it: the answer is the same for a row that is there and one that is not.

type RowKind = "user" | "host" | "config" | "channel" | "renewal";

interface NamedRow {
  readonly kind: RowKind;
  /** The field of the input that has its id. */
  readonly field: "id" | "hostId";
}

const USER: NamedRow = { kind: "user", field: "id" };
const HOST: NamedRow = { kind: "host", field: "id" };
const ASSIGNED_HOST: NamedRow = { kind: "host", field: "hostId" };
const CONFIG: NamedRow = { kind: "config", field: "id" };
const CHANNEL: NamedRow = { kind: "channel", field: "id" };
const RENEWAL: NamedRow = { kind: "renewal", field: "id" };

/** The calls about a single row, each with the row that its entry is about when it succeeds. */
const NAMED_ROWS = new Map<string, NamedRow>([
  ["users.get", USER],
  ["users.assignments", USER],
  ["users.tokens", USER],
  ["users.update", USER],
  ["users.delete", USER],
  ["users.resetPassword", USER],
  ["users.resetSecondFactor", USER],
  ["users.revokeToken", USER],
  ["hosts.get", HOST],
  ["hosts.history", HOST],
  ["hosts.annotate", HOST],
  ["hosts.syncOne", HOST],
  ["hosts.assign", ASSIGNED_HOST],
  ["hosts.unassign", ASSIGNED_HOST],
  ["configs.update", CONFIG],
  ["configs.delete", CONFIG],
  ["configs.test", CONFIG],
  ["noticeChannels.update", CHANNEL],
  ["noticeChannels.delete", CHANNEL],
  ["noticeChannels.test", CHANNEL],
  ["renewals.create", ASSIGNED_HOST],
  ["renewals.get", RENEWAL],
  ["renewals.process", RENEWAL],
  ["renewals.cancel", RENEWAL],
  ["renewals.undo", RENEWAL],
]);

/** Null when the call names no row, and when there is none of that id. */
export async function findDeniedSubject(
  em: SqlEntityManager,
  { action, input }: { readonly action: string; readonly input: unknown },
): Promise<AuditSubject | null> {
  const named = NAMED_ROWS.get(action);
  if (named === undefined) return null;

  const { field, kind } = named;
  const id = z.object({ [field]: Id }).safeParse(input).data?.[field];
  return id === undefined ? null : await findRow(em, kind, id);
}

async function findRow(
  em: SqlEntityManager,
  kind: RowKind,
  id: string,
): Promise<AuditSubject | null> {
  const type = kind === "renewal" ? "host" : kind;
  const found = await selectRow(em, kind, id).executeTakeFirst();
  return found === undefined ? null : { type, ...found };
}

/** A request is about its host. */
function selectRow(em: SqlEntityManager, kind: RowKind, id: string) {
  const db = kyselyOf(em);
  switch (kind) {
    case "user":
      return db.selectFrom("users").select(["id", "name as label"]).where("id", "=", id);
    case "host":
      return db.selectFrom("hosts").select(["id", "name as label"]).where("id", "=", id);
    case "config":
      return db.selectFrom("configs").select(["id", "name as label"]).where("id", "=", id);
    case "channel":
      return db.selectFrom("notice_channels").select(["id", "name as label"]).where("id", "=", id);
    case "renewal":
      return db
        .selectFrom("renewals as r")
        .innerJoin("hosts as h", "h.id", "r.host")
        .select(["h.id", "h.name as label"])
        .where("r.id", "=", id);
  }
}
