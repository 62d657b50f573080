import type { Expression, ExpressionBuilder, SqlBool } from "kysely";
import type { HistoryField, HostActKind } from "../../../shared/host-history.ts";
import { isClient, type Role } from "../../../shared/roles.ts";
import type { Tables } from "../../platform/database/kysely.ts";
import { anyOf } from "../../platform/database/sql.ts";
import { hasBegun, lastedAt } from "../hosts/access.ts";
import type { ClientScope } from "../renewals/access.ts";

/** Builds expressions for a query that has the changes of hosts as `c`. */
export type ChangeExpressions = ExpressionBuilder<Tables & { c: Tables["host_changes"] }, "c">;
/** Builds expressions for a query that has the acts on hosts as `act`. */
export type ActExpressions = ExpressionBuilder<Tables & { act: Tables["host_acts"] }, "act">;

/** Who reads the history of one host. The host itself is in the row scope of that person. */
export interface HistoryViewer {
  readonly id: string;
  readonly role: Role;
  readonly now: number;
  /** The clients whose acts the viewer sees. */
  readonly clientIds: ClientScope;
  /** The fields whose changes the viewer sees. */
  readonly fields: readonly HistoryField[];
}

/**
 * What a client sees of changes: not the provider's status and dates, the configuration or the
 * project. Addresses come beside these while the client sees those of the host.
 */
export const CLIENT_FIELDS: readonly HistoryField[] = [
  "name",
  "region",
  "zone",
  "cpu",
  "memory",
  "disk",
  "osName",
  "osType",
  "status",
  "chargeType",
];

interface ForClients {
  /** `begun`: once the assignment has begun, or had when it was ended. */
  readonly shown: "always" | "begun" | "never";
  readonly withRemark: boolean;
}

/**
 * What clients see of the acts that concern them: a decision for each kind. A client who asked for
 * more time knew of its assignment. It reads what it wrote on a renewal and what it was answered;
 * other remarks are for those who assign.
 */
const ACTS_FOR_CLIENTS: Readonly<Record<HostActKind, ForClients>> = {
  assigned: { shown: "begun", withRemark: false },
  unassigned: { shown: "begun", withRemark: false },
  assignment_changed: { shown: "begun", withRemark: false },
  renewal_created: { shown: "always", withRemark: true },
  renewal_approved: { shown: "always", withRemark: true },
  renewal_rejected: { shown: "always", withRemark: true },
  renewal_completed: { shown: "always", withRemark: true },
  renewal_cancelled: { shown: "always", withRemark: false },
  renewal_undone: { shown: "always", withRemark: false },
};

/** Kinds of acts whose remarks clients read. */
export const KINDS_WITH_REMARK = actsWhere(({ withRemark }) => withRemark);

function actsWhere(condition: (forClients: ForClients) => boolean): readonly string[] {
  return Object.entries(ACTS_FOR_CLIENTS)
    .filter(([, forClients]) => condition(forClients))
    .map(([kind]) => kind);
}

/** They tell whether the host is there, with or without fields. */
const KINDS_OF_PRESENCE = ["created", "gone", "returned"] as const;

/**
 * Super admins and admins see all changes of the host. A client sees those of the time during which
 * it had the host, and none of which nothing would be left: that something hidden has changed is
 * hidden, too.
 */
export function isVisibleChange(
  eb: ChangeExpressions,
  { id, role, now, fields }: HistoryViewer,
): Expression<SqlBool> {
  if (!isClient(role)) return eb.lit(true);

  const hadHostThen = eb.exists(
    eb
      .selectFrom("assignments as a")
      .select("a.id")
      .whereRef("a.host", "=", "c.hostId")
      .where("a.userId", "=", id)
      .where((assignment) => hasBegun(assignment, now))
      .where((assignment) => lastedAt(assignment, assignment.ref("c.at"))),
  );
  const isVisibleField = fields.map((field) => `@ == "${field}"`).join(" || ");
  const namesVisibleField = eb.fn<SqlBool>("jsonb_path_exists", [
    "c.changes",
    eb.val(`$[*].field ? (${isVisibleField})`),
  ]);
  const tellsOfPresence = eb("c.kind", "in", KINDS_OF_PRESENCE);
  return eb.and([hadHostThen, eb.or([tellsOfPresence, namesVisibleField])]);
}

/**
 * Super admins see all acts, others those that concern their clients or themselves. A client does
 * not know of an assignment that has not begun, or that was ended before it began.
 */
export function isVisibleAct(
  eb: ActExpressions,
  { role, now, clientIds }: HistoryViewer,
): Expression<SqlBool> {
  if (clientIds === "all") return eb.lit(true);

  const concernsThem = eb("act.userId", "=", anyOf(clientIds));
  if (!isClient(role)) return concernsThem;

  const isShown = (shown: ForClients["shown"]) =>
    eb(
      eb.ref("act.kind").$castTo<string>(),
      "in",
      actsWhere((each) => each.shown === shown),
    );
  const hadBegun = eb.exists(
    eb
      .selectFrom("assignments as a")
      .select("a.id")
      .whereRef("a.id", "=", "act.assignmentId")
      .where((assignment) =>
        hasBegun(assignment, assignment.fn.coalesce("a.endedAt", assignment.val(now))),
      ),
  );
  return eb.and([concernsThem, eb.or([isShown("always"), eb.and([isShown("begun"), hadBegun])])]);
}
