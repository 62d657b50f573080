import type { MikroORM } from "@mikro-orm/postgresql";
import { AppError } from "../errors.ts";
import type { Caller, FindLiveSessions } from "./caller.ts";

export interface LiveCallerDeps {
  readonly orm: MikroORM;
  readonly findLiveSessions: FindLiveSessions;
}

/**
 * The caller as it is now, for an answer that goes on for long: role, activity and what is required
 * may have changed since it began. Throws UNAUTHENTICATED and SECOND_FACTOR_REQUIRED.
 */
export async function readLiveCaller(
  { orm, findLiveSessions }: LiveCallerDeps,
  { credentialId }: Caller,
): Promise<Caller> {
  const callers = await findLiveSessions(orm.em.fork(), [credentialId]);
  const caller = callers.get(credentialId);
  if (caller === undefined) throw new AppError("UNAUTHENTICATED");
  if (caller.lacksSecondFactor) throw new AppError("SECOND_FACTOR_REQUIRED");
  return caller;
}

/**
 * For a call that goes on for long and was permitted by its caller's role: throws what the same call
 * would now be answered.
 */
export async function assertStillPermitted(deps: LiveCallerDeps, caller: Caller): Promise<void> {
  const { role } = await readLiveCaller(deps, caller);
  if (role !== caller.role) throw new AppError("FORBIDDEN");
}
