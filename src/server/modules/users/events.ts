import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { z } from "zod";
import { event } from "../../../shared/events.ts";
import { Id } from "../../../shared/ids.ts";
import { isSuperAdmin } from "../../../shared/roles.ts";
import { kyselyOf } from "../../platform/database/kysely.ts";
import { appendEvent } from "../../platform/events/append.ts";
import type { EventPresenter } from "../../platform/events/event.ts";

/**
 * `formerAdminId` had the user until this change. `isNoteOnly`: nothing else was changed than the
 * note, which only super admins see.
 */
export const UserChanged = event(
  "user.changed",
  z.object({ userId: Id, formerAdminId: Id.nullish(), isNoteOnly: z.boolean().optional() }),
);
type UserChanged = z.infer<typeof UserChanged>;

/**
 * A user was made, changed, disabled or deleted. `formerAdminId` is the admin who no longer has the
 * user because of this change. `at` in Unix seconds.
 */
export async function publishUserChanged(
  em: SqlEntityManager,
  data: UserChanged["data"],
  at: number,
): Promise<void> {
  await appendEvent(em, { type: "user.changed", data }, at);
}

/**
 * Super admins, the user's admin, and the admin who had the user before. Not the user, whose own
 * account is read live.
 */
export async function presentUserChanged(
  em: SqlEntityManager,
  { type, data }: UserChanged,
): Promise<EventPresenter> {
  const { userId, formerAdminId = null, isNoteOnly = false } = data;
  const shown = { type, data: { id: userId } };
  if (isNoteOnly) return ({ role }) => (isSuperAdmin(role) ? shown : null);

  const user = await kyselyOf(em)
    .selectFrom("users")
    .select("admin as adminId")
    .where("id", "=", userId)
    .executeTakeFirst();
  const admins = [user?.adminId ?? null, formerAdminId];
  return ({ id, role }) => (isSuperAdmin(role) || admins.includes(id) ? shown : null);
}
