import { inTransaction } from "../../platform/database/transaction.ts";
import { AppError } from "../../platform/errors.ts";
import { UserEntity } from "../users/entity.ts";
import type { AuthDeps } from "./deps.ts";
import { clearFailures, type LimitDeps, limitOwnPassword } from "./login-limit.ts";

/**
 * Returns the hash that the password was verified against. Throws WRONG_PASSWORD; TOO_MANY_REQUESTS
 * after too many wrong ones.
 */
export async function verifyOwnPassword(
  deps: LimitDeps,
  userId: string,
  password: string,
): Promise<string> {
  const passwordHash = await readPasswordHash(deps, userId);
  const isRight = await deps.passwords.enqueue(deps.actor.ip, (verify) =>
    limitOwnPassword(deps, userId, async (limits) => {
      if (!(await verify(passwordHash, password))) return false;
      await inTransaction(deps, (em) => clearFailures(em, limits));
      return true;
    }),
  );

  if (passwordHash === null || !isRight) throw new AppError("WRONG_PASSWORD");
  return passwordHash;
}

async function readPasswordHash({ em }: AuthDeps, id: string): Promise<string | null> {
  const user = await em.findOne(
    UserEntity,
    { id },
    { fields: ["passwordHash"], disableIdentityMap: true },
  );
  return user?.passwordHash ?? null;
}
