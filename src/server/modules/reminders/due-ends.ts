import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { type AliasableExpression, type Expression, expressionBuilder, type SqlBool } from "kysely";
import type { HistoryField } from "../../../shared/host-history.ts";
import { OPEN_RENEWAL_STATUSES } from "../../../shared/renewal-status.ts";
import { startOfLocalDay } from "../../../shared/shanghai.ts";
import { jsonb } from "../../platform/database/expressions.ts";
import { kyselyOf } from "../../platform/database/kysely.ts";
import { anyOf } from "../../platform/database/sql.ts";
import {
  type AssignmentExpressions,
  type HostExpressions,
  hasBegun,
  providerEnd,
} from "../hosts/access.ts";
import { EXPIRED_MARK } from "./entity.ts";
import { type DueDays, dueMark, dueRanges } from "./marks.ts";

export interface DueEnd {
  readonly hostId: string;
  readonly hostName: string;
  /** Null where it is the host's end at the provider. */
  readonly assignmentId: string | null;
  /** In Unix seconds. */
  readonly expireTime: number;
  readonly mark: number;
  /** The provider renews the host by itself. Of an assignment it says nothing. */
  readonly isAutoRenewed: boolean;
}

export interface Recipient {
  readonly id: string;
  readonly name: string;
}

/** The end of an assignment, with those who are to hear of it beside the super admins. */
export interface DueAssignmentEnd extends DueEnd {
  /** Null for one who is disabled, or whose renewal is open. */
  readonly client: Recipient | null;
  /** Null where nobody active is responsible for the client. */
  readonly admin: Recipient | null;
}

interface Wanted {
  readonly marks: readonly number[];
  readonly days: DueDays;
  /** Only these assignments or hosts; absent: all. */
  readonly ids?: readonly string[] | undefined;
}

/** Of assignments that last and have begun, on hosts that are there. */
export async function findDueAssignmentEnds(
  em: SqlEntityManager,
  { marks, days, ids }: Wanted,
): Promise<DueAssignmentEnd[]> {
  const rows = await kyselyOf(em)
    .selectFrom("assignments as a")
    .innerJoin("hosts as h", "h.id", "a.host")
    .innerJoin("users as c", "c.id", "a.userId")
    .leftJoin("users as admin", (join) =>
      join.onRef("admin.id", "=", "c.admin").on("admin.isActive", "=", true),
    )
    .select([
      "h.id as hostId",
      "h.name",
      "h.ucloudId",
      "a.id as assignmentId",
      "a.assignedExpireTime as expireTime",
      "c.id as clientId",
      "c.name as clientName",
      "c.isActive as isClientActive",
      "admin.id as adminId",
      "admin.name as adminName",
    ])
    .select((eb) => [
      assignmentEndSetAt(eb, days).as("setAt"),
      hasOpenRenewal(eb).as("hasOpenRenewal"),
    ])
    .where("a.endedAt", "is", null)
    .where((eb) => hasBegun(eb, days.now))
    .where("h.goneAt", "is", null)
    .where((eb) => isInRanges(eb, eb.ref("a.assignedExpireTime"), { marks, days }))
    .$if(ids !== undefined, (query) => query.where("a.id", "=", anyOf(ids ?? [])))
    .execute();

  return rows.flatMap((row) => {
    const mark = dueMark(row, marks, days);
    if (mark === null) return [];

    const { hostId, assignmentId, expireTime, clientId, clientName, adminId, adminName } = row;
    const isClientReminded = row.isClientActive && !row.hasOpenRenewal;
    return {
      hostId,
      hostName: row.name || row.ucloudId,
      assignmentId,
      expireTime,
      mark,
      isAutoRenewed: false,
      client: isClientReminded ? { id: clientId, name: clientName } : null,
      admin: adminId === null || adminName === null ? null : { id: adminId, name: adminName },
    };
  });
}

/**
 * At the provider: of hosts that are not renewed, and the day after it of all whose end has passed.
 * An automatic renewal that did not happen is the worst case. On the day itself it may still come.
 */
export async function findDueHostEnds(
  em: SqlEntityManager,
  { marks, days, ids }: Wanted,
): Promise<DueEnd[]> {
  const rows = await kyselyOf(em)
    .selectFrom("hosts as h")
    .select(["h.id as hostId", "h.name", "h.ucloudId"])
    .select((eb) => [
      providerEnd(eb).as("expireTime"),
      eb("h.autoRenew", "is", true).as("isAutoRenewed"),
      providerEndSetAt(eb, days).as("setAt"),
    ])
    .where("h.goneAt", "is", null)
    .where((eb) => isInRanges(eb, providerEnd(eb), { marks, days }))
    .$if(ids !== undefined, (query) => query.where("h.id", "=", anyOf(ids ?? [])))
    .execute();

  return rows.flatMap((row) => {
    const { hostId, expireTime, setAt } = row;
    if (expireTime === null) return [];

    const mark = dueMark({ expireTime, setAt }, marks, days);
    const isAutoRenewed = row.isAutoRenewed === true;
    const mayStillBeRenewed = isAutoRenewed && mark !== EXPIRED_MARK;
    if (mark === null || mayStillBeRenewed) return [];

    const hostName = row.name || row.ucloudId;
    return { hostId, hostName, assignmentId: null, expireTime, mark, isAutoRenewed };
  });
}

function isInRanges(
  eb: HostExpressions,
  end: Expression<number | null>,
  { marks, days }: Wanted,
): Expression<SqlBool> {
  const ranges = dueRanges(marks, days);
  return eb.or(ranges.map(({ from, to }) => eb.and([eb(end, ">=", from), eb(end, "<", to)])));
}

function hasOpenRenewal(eb: AssignmentExpressions): AliasableExpression<SqlBool> {
  return eb.exists(
    eb
      .selectFrom("renewals as r")
      .select("r.id")
      .whereRef("r.host", "=", "a.host")
      .whereRef("r.userId", "=", "a.userId")
      .where("r.status", "in", OPEN_RENEWAL_STATUSES),
  );
}

/**
 * When the present end was set, if that was after the first of the days that are due. Whatever was
 * set before them has been there all the time.
 */
function assignmentEndSetAt(eb: AssignmentExpressions, { after }: DueDays) {
  return eb
    .selectFrom("host_acts as act")
    .select((act) => act.fn.max("act.at").as("at"))
    .whereRef("act.hostId", "=", "a.host")
    .whereRef("act.assignmentId", "=", "a.id")
    .where("act.at", ">=", startOfLocalDay(after + 2))
    .where((act) => hasField(act.ref("act.changes"), "assignedExpireTime"))
    .$asScalar();
}

/** The same of the provider's end, which sync sets; it means something for prepaid hosts only. */
function providerEndSetAt(eb: HostExpressions, { after }: DueDays) {
  return eb
    .selectFrom("host_changes as change")
    .select((change) => change.fn.max("change.at").as("at"))
    .whereRef("change.hostId", "=", "h.id")
    .where("change.at", ">=", startOfLocalDay(after + 2))
    .where((change) =>
      change.or([
        change("change.kind", "=", "created"),
        hasField(change.ref("change.changes"), "expireTime"),
        hasField(change.ref("change.changes"), "chargeType"),
      ]),
    )
    .$asScalar();
}

/** Whether one of the changes is of this field. */
function hasField(changes: Expression<object>, field: HistoryField): Expression<SqlBool> {
  const eb = expressionBuilder();
  return eb(changes, "@>", jsonb([{ field }]));
}
