import type { SqlEntityManager } from "@mikro-orm/postgresql";
import type { UpdateUserInput, User } from "../../../shared/users.ts";
import { inTransaction } from "../../platform/database/transaction.ts";
import { AppError } from "../../platform/errors.ts";
import type { Caller } from "../../platform/trpc/caller.ts";
import { countChanges, type FieldChange, fieldChanges } from "../audit-records/field-changes.ts";
import { noteSubject } from "../audit-records/note-subject.ts";
import { recordAudit } from "../audit-records/record-audit.ts";
import { revokeTokensOfUser } from "../auth/live-tokens.ts";
import { endSessions } from "../auth/sessions.ts";
import { AssignmentEntity } from "../hosts/entity.ts";
import { publishHostEvents } from "../hosts/events.ts";
import { UserEntity, type UserRow } from "../users/entity.ts";
import { publishUserChanged } from "../users/events.ts";
import {
  lockClientsOf,
  lockOtherSuperAdmins,
  lockResponsibleAdmin,
  lockUser,
} from "../users/locks.ts";
import { getUser } from "../users/queries.ts";
import type { UserManagementDeps } from "./deps.ts";

type Changes = Omit<UpdateUserInput, "id" | "adminId">;

/** Disabling ends the user's sessions and API tokens, and leaves an admin's clients without one. */
export async function updateUser(
  deps: UserManagementDeps,
  caller: Caller,
  input: UpdateUserInput,
): Promise<User> {
  const { id, adminId, ...changes } = input;
  const disables = input.isActive === false;
  const { name, role } = await getUser(deps, caller, { id });
  noteSubject(deps, { type: "user", id, label: name });

  const updated = await inTransaction(deps, async (em) => {
    const now = deps.clock.now();
    if (typeof adminId === "string") await lockResponsibleAdmin(em, adminId, role);
    if (disables && id === caller.id) throw new AppError("CONFLICT", "不能停用自己的账号");
    if (disables && role === "super_admin") {
      await lockOtherSuperAdmins(em, id, "不能停用最后一个超级管理员");
    }
    const user = await lockUser(em, id);
    const formerAdminId = user.admin?.id ?? null;
    const isMoved = adminId !== undefined && adminId !== formerAdminId;

    const before = storedFields(user);
    const moved = isMoved ? await adminChange(em, formerAdminId, adminId) : [];
    const { note, ...visibleChanges } = changes;
    const isNoteChanged = note !== undefined && (note || null) !== (user.note ?? null);
    const isChanged = hasDifference(user, visibleChanges);
    assignFields(user, changes);
    if (isMoved) em.assign(user, { admin: adminId });
    await em.flush();

    let releasedClients = 0;
    if (disables) {
      await endSessions(em, id);
      await revokeTokensOfUser(em, id);
      if (role === "admin") await lockClientsOf(em, id);
      releasedClients = await em.nativeUpdate(UserEntity, { admin: id }, { admin: null });
    }

    const changed = [...fieldChanges(before, storedFields(user)), ...moved];
    const record = {
      action: "users.update",
      subject: { type: "user", id, label: user.name },
      changes: [...changed, ...countChanges({ releasedClients })],
    } as const;
    await recordAudit({ ...deps, em }, record, now);

    if (isMoved) {
      await publishMovedHosts(em, { userId: id, formerAdminId }, now);
      await publishUserChanged(em, { userId: id, formerAdminId }, now);
    } else if (isChanged) {
      await publishUserChanged(em, { userId: id }, now);
    } else if (isNoteChanged) {
      await publishUserChanged(em, { userId: id, isNoteOnly: true }, now);
    }
    return await getUser({ ...deps, em }, caller, { id });
  });

  if (disables) deps.bus.emit("sessions.ended", { userId: id, withTokens: true });
  return updated;
}

/** Fields that are undefined stay as they are. */
function assignFields(user: UserRow, changes: Changes): void {
  const { name, email, phone, isActive, note } = changes;
  user.name = name ?? user.name;
  user.isActive = isActive ?? user.isActive;
  if (email !== undefined) user.email = email;
  if (phone !== undefined) user.phone = phone;
  if (note !== undefined) user.note = note || null;
}

function storedFields({ name, email, phone, isActive, note }: UserRow) {
  return { name, email, phone, isActive, note };
}

async function adminChange(
  em: SqlEntityManager,
  formerId: string | null,
  id: string | null,
): Promise<FieldChange[]> {
  const from = formerId === null ? null : await em.findOne(UserEntity, { id: formerId });
  const to = id === null ? null : await em.findOne(UserEntity, { id });
  return fieldChanges({ admin: from?.name }, { admin: to?.name });
}

/** The former and the new admin are told that they see other hosts. */
async function publishMovedHosts(
  em: SqlEntityManager,
  moved: { readonly userId: string; readonly formerAdminId: string | null },
  at: number,
): Promise<void> {
  const { userId, formerAdminId } = moved;
  const assignments = await em.find(
    AssignmentEntity,
    { userId, endedAt: null },
    { fields: ["host"] },
  );
  const hostIds = assignments.map(({ host }) => host.id);
  await publishHostEvents(em, { configId: null, hostIds, userId, formerAdminId }, at);
}

/** Whether one of the given fields, which the user's admin sees, too, is not as it is stored. */
function hasDifference(stored: UserRow, changes: Omit<Changes, "note">): boolean {
  const { name, email, phone, isActive } = changes;
  if (name !== undefined && name !== stored.name) return true;
  if (email !== undefined && email !== (stored.email ?? null)) return true;
  if (phone !== undefined && phone !== (stored.phone ?? null)) return true;
  return isActive !== undefined && isActive !== stored.isActive;
}
