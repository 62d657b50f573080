import { clearSecondFactor } from "../modules/auth/clear-second-factor.ts";
import { lockUser } from "../modules/users/locks.ts";
import { findByUsername } from "../modules/users/queries.ts";
import { systemClock } from "../platform/clock.ts";
import type { DatabaseTarget } from "../platform/database/open-connection.ts";
import { inTransaction } from "../platform/database/transaction.ts";
import { StartError } from "../platform/errors.ts";
import type { Log } from "../platform/log.ts";
import { openCommandDatabase } from "./command-database.ts";

/**
 * For an owner who lost phone and recovery codes, also while servers run: they notice within 5 s that
 * its sessions have ended. False when the user had no second factor. Throws StartError for an unknown
 * name.
 */
export async function resetSecondFactor(
  target: DatabaseTarget,
  username: string,
  log: Log,
): Promise<boolean> {
  await using database = await openCommandDatabase(target, {
    name: "reset-second-factor",
    access: "act",
    log,
  });
  const { deps } = database;
  const found = await findByUsername(deps, username);
  if (found === null) throw new StartError(`没有用户名为 ${username} 的用户，未作任何改动。`);

  return await inTransaction(deps, async (em) => {
    const user = await lockUser(em, found.id);
    const action = "command.reset-second-factor";
    return await clearSecondFactor({ ...deps, em }, user, { action, at: systemClock.now() });
  });
}
