import type { IdInput, Nothing } from "../../../shared/ids.ts";
import { inTransaction } from "../../platform/database/transaction.ts";
import { AppError } from "../../platform/errors.ts";
import type { Caller } from "../../platform/trpc/caller.ts";
import { endAssignmentsOfUser } from "../assignments/unassign-host.ts";
import { countChanges, fieldChanges } from "../audit-records/field-changes.ts";
import { noteSubject } from "../audit-records/note-subject.ts";
import { recordAudit } from "../audit-records/record-audit.ts";
import { clearFailuresOfUser } from "../auth/login-limit.ts";
import { publishHostEvents } from "../hosts/events.ts";
import { NoticeEntity } from "../notice-records/entity.ts";
import { publishCancelledRenewals } from "../renewals/events.ts";
import { UserEntity } from "../users/entity.ts";
import { publishUserChanged } from "../users/events.ts";
import { lockClientsOf, lockOtherSuperAdmins, lockUser } from "../users/locks.ts";
import { getUser } from "../users/queries.ts";
import type { UserManagementDeps } from "./deps.ts";

/** Foreign keys end the user's sessions and API tokens. History keeps the names. */
export async function deleteUser(
  deps: UserManagementDeps,
  caller: Caller,
  { id: userId }: IdInput,
): Promise<Nothing> {
  const { name, role, username } = await getUser(deps, caller, { id: userId });
  noteSubject(deps, { type: "user", id: userId, label: name });
  if (userId === caller.id) throw new AppError("CONFLICT", "不能删除自己的账号");

  await inTransaction(deps, async (em) => {
    const now = deps.clock.now();
    if (role === "super_admin") {
      await lockOtherSuperAdmins(em, userId, "不能删除最后一个超级管理员");
    }
    const { admin, name } = await lockUser(em, userId);
    const formerAdminId = admin?.id ?? null;
    if (role === "admin") await lockClientsOf(em, userId);
    const releasedClients = await em.nativeUpdate(UserEntity, { admin: userId }, { admin: null });

    await clearFailuresOfUser(em, username);
    const { hostIds, cancelledIds } = await endAssignmentsOfUser(em, userId, {
      actor: deps.actor,
      at: now,
    });
    await em.nativeDelete(UserEntity, { id: userId });
    await em.nativeDelete(NoticeEntity, { userId });

    const ended = {
      endedAssignments: hostIds.length,
      cancelledRenewals: cancelledIds.length,
      releasedClients,
    };
    const record = {
      action: "users.delete",
      subject: { type: "user", id: userId, label: name },
      changes: [...fieldChanges({ username, name, role }, null), ...countChanges(ended)],
    } as const;
    await recordAudit({ ...deps, em }, record, now);
    await publishCancelledRenewals(em, cancelledIds, now);
    await publishHostEvents(em, { configId: null, hostIds, userId, formerAdminId }, now);
    await publishUserChanged(em, { userId, formerAdminId }, now);
  });
  deps.bus.emit("sessions.ended", { userId, withTokens: true });
  return {};
}
