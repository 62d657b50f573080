import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { sql } from "kysely";
import { v7 as newId } from "uuid";
import type { HostActKind, HostFieldChange } from "../../../shared/host-history.ts";
import type { Actor } from "../../platform/actor.ts";

/** What the actor does with one assignment, or with a renewal of it. */
export interface HostAct {
  readonly kind: HostActKind;
  readonly assignmentId: string;
  readonly renewalId?: string | undefined;
  /** From the values that were stored before to those that are now. */
  readonly changes?: readonly HostFieldChange[];
  /** What the actor said with this act, and nothing that was there before. */
  readonly remark?: string | null | undefined;
}

/** Of an act, or of several that one person does at once. */
export interface ActContext {
  /** Who acts. */
  readonly actor: Actor;
  /** When, in Unix seconds. */
  readonly at: number;
}

/**
 * Adds acts to the history of hosts, in the order in which they happened. Every act on assignments
 * and renewals calls this in its transaction, after it has written them and before its events: an
 * entry is there if and only if the act is. Host and client are read from the assignment, and the
 * client's name as it is now, so that no caller can name another one. Deleting a client ends all it
 * has, so the acts are sent as one document.
 */
export async function recordHostActs(
  em: SqlEntityManager,
  acts: readonly HostAct[],
  { actor, at }: ActContext,
): Promise<void> {
  if (acts.length === 0) return;

  const rows = acts.map(({ kind, assignmentId, renewalId, changes = [], remark }, seq) => ({
    id: newId({ msecs: at * 1_000, seq }),
    kind,
    assignment_id: assignmentId,
    renewal_id: renewalId,
    changes,
    remark,
  }));
  // The ids have the order of the acts.
  await sql`
    insert into host_acts
      (id, host_id, kind, at, actor_type, actor_id, actor_name, user_id, user_name,
        assignment_id, renewal_id, changes, remark)
    select act.id, a.host_id, act.kind, ${at}::bigint,
      ${actor.type}::text, ${actor.id}::uuid, ${actor.name}::text,
      a.user_id, coalesce(u.name, a.user_name),
      a.id, act.renewal_id, act.changes, act.remark
    from json_populate_recordset(null::host_acts, ${JSON.stringify(rows)}::json) act
    join assignments a on a.id = act.assignment_id
    left join users u on u.id = a.user_id
    order by act.id
  `.execute(em.getKysely());
}
