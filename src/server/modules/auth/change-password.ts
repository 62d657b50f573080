import type { ChangePasswordInput } from "../../../shared/auth.ts";
import type { Nothing } from "../../../shared/ids.ts";
import { inTransaction } from "../../platform/database/transaction.ts";
import { AppError } from "../../platform/errors.ts";
import { assertUncommon } from "../../platform/passwords.ts";
import type { Caller } from "../../platform/trpc/caller.ts";
import { UserEntity } from "../users/entity.ts";
import { publishUserChanged } from "../users/events.ts";
import type { AuthDeps } from "./deps.ts";
import {
  clearFailures,
  type LimitDeps,
  limitPasswordChange,
  PASSWORD_CALL_LIMIT_MS,
} from "./login-limit.ts";
import { endSessions, lockOwnUser } from "./sessions.ts";
import { withinTimeLimit } from "./time-limit.ts";

/**
 * Sets the caller's password and ends its other sessions. Throws WRONG_PASSWORD; TOO_MANY_REQUESTS
 * after too many wrong ones; UNAVAILABLE when all its waits together take too long.
 */
export async function changePassword(
  deps: AuthDeps,
  caller: Caller,
  input: ChangePasswordInput,
): Promise<Nothing> {
  assertUncommon("newPassword", input.newPassword);

  return await withinTimeLimit(PASSWORD_CALL_LIMIT_MS, (signal) =>
    replacePassword({ ...deps, signal }, caller, input),
  );
}

async function replacePassword(
  deps: LimitDeps,
  caller: Caller,
  { currentPassword, newPassword }: ChangePasswordInput,
): Promise<Nothing> {
  const { id } = caller;
  const { ip } = deps.actor;
  const oldHash = await readPasswordHash(deps, id);
  const isRight = await deps.passwords.enqueue(ip, (verify) =>
    limitPasswordChange(deps, id, async (limits) => {
      if (!(await verify(oldHash, currentPassword))) return false;
      await inTransaction(deps, (em) => clearFailures(em, limits));
      return true;
    }),
  );
  if (oldHash === null || !isRight) throw new AppError("WRONG_PASSWORD");

  const passwordHash = await deps.passwords.hash(newPassword, ip);
  await inTransaction(deps, async (em) => {
    await lockOwnUser(em, caller);
    const changed = { passwordHash, mustChangePassword: false };
    const written = await em.nativeUpdate(UserEntity, { id, passwordHash: oldHash }, changed);
    if (written === 0) throw new AppError("STATE_CONFLICT", "密码刚刚已被修改，请重新登录后再试");

    await endSessions(em, id, caller.sessionId);
    // Others see of the password that it must be changed.
    if (caller.mustChangePassword) await publishUserChanged(em, { userId: id }, deps.clock.now());
    // Nobody would learn that it was changed.
    deps.signal.throwIfAborted();
  });
  deps.bus.emit("sessions.ended", { userId: id, exceptSessionId: caller.sessionId });
  return {};
}

async function readPasswordHash({ em }: AuthDeps, id: string): Promise<string | null> {
  const user = await em.findOne(
    UserEntity,
    { id },
    { fields: ["passwordHash"], disableIdentityMap: true },
  );
  return user?.passwordHash ?? null;
}
