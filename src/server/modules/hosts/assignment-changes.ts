import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { type FieldChange, fieldChanges } from "../audit-records/field-changes.ts";
import { UserEntity } from "../users/entity.ts";
import type { StoredPeriod } from "./assigned-period.ts";

interface StoredAssignment extends StoredPeriod {
  readonly remark?: string | null | undefined;
}

/**
 * For the audit log: what an act did to the assignment of a client. The client is named also where
 * it is the same before and after. Null: there was none, or there is none any more.
 */
export function assignmentChanges(
  clientName: string,
  before: StoredAssignment | null,
  after: StoredAssignment | null,
): FieldChange[] {
  const from = before === null ? null : clientName;
  const to = after === null ? null : clientName;
  const user = { field: "user", from, to } as const;
  return [user, ...fieldChanges(before && fieldsOf(before), after && fieldsOf(after))];
}

function fieldsOf({ assignedAt, assignedExpireTime, remark }: StoredAssignment) {
  return { assignedAt, assignedExpireTime, remark };
}

/** The present name of the client of an assignment or a request; of a deleted one that of then. */
export async function clientNameOf(
  em: SqlEntityManager,
  { userId, userName }: { readonly userId: string; readonly userName: string },
): Promise<string> {
  const user = await em.findOne(UserEntity, { id: userId });
  return user?.name ?? userName;
}
