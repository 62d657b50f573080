import { sql } from "kysely";
import type { Deps } from "../core/deps.ts";
import { newId } from "../core/ids.ts";
import type { Account } from "../users/find-account.ts";
import type { AuthTables } from "./entity.ts";
import { hashToken, newToken } from "./token.ts";

const USER_AGENT_MAX = 200;

/** Where a call comes from, as the router's context has it. */
export interface CallOrigin {
  readonly ip: string;
  readonly userAgent: string;
  readonly requestId: string;
}

/** What a session keeps of where it was opened or last refreshed. */
export function storedOrigin({ ip, userAgent }: CallOrigin) {
  return { ip, user_agent: userAgent.slice(0, USER_AGENT_MAX).toWellFormed() };
}

/**
 * Opens a session and answers its token, or null when the account was disabled or deleted, or its password changed, since
 * it was verified. The lock makes it wait for such a change that is under way, which then ends no session too few.
 */
export async function openSession(
  deps: Pick<Deps, "em" | "clock" | "sessionLimits">,
  account: Pick<Account, "id" | "passwordHash">,
  origin: CallOrigin,
): Promise<string | null> {
  const token = newToken();
  const now = deps.clock.now();
  const { ip, user_agent: userAgent } = storedOrigin(origin);
  const { numAffectedRows } = await sql`
    insert into sessions (id, token_hash, user_id, created_at, last_used_at, expires_at, ip, user_agent)
    select ${newId()}::uuid, ${hashToken(token)}::bytea, id, ${now}::bigint, ${now}::bigint,
      ${now + deps.sessionLimits.ttl}::bigint, ${ip}, ${userAgent}
    from users where id = ${account.id} and is_active and password_hash = ${account.passwordHash}
    for share`.execute(deps.em.getKysely<AuthTables>());
  return numAffectedRows === 1n ? token : null;
}

/** Deletes what can be of no use any more. For a schedule; nothing depends on it. */
export async function removeDeadSignIns(
  deps: Pick<Deps, "em" | "clock" | "sessionLimits">,
  failureWindow: number,
): Promise<void> {
  const db = deps.em.getKysely<AuthTables>();
  const now = deps.clock.now();
  await db
    .deleteFrom("sessions")
    .where((eb) => eb.or([eb("expires_at", "<=", now), eb("last_used_at", "<=", now - deps.sessionLimits.idle)]))
    .execute();
  await db
    .deleteFrom("login_failures")
    .where("window_started_at", "<=", now - failureWindow)
    .execute();
}
