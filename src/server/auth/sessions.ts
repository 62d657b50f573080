import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { sql } from "kysely";
import type { Deps } from "../core/deps.ts";
import { AppError } from "../core/errors.ts";
import { newId } from "../core/ids.ts";
import type { Caller } from "../core/ports.ts";
import type { Account } from "../users/find-account.ts";
import type { AuthTables } from "./entity.ts";
import { isAlive } from "./is-alive.ts";
import { failuresOf, MAX_FAILURES } from "./login-limit.ts";
import { hashToken, newToken } from "./token.ts";

const USER_AGENT_MAX = 200;

export interface OpenedSession {
  readonly token: string;
  /** Of this account name, in the present window. */
  readonly failures: number;
}

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
 * Opens a session; null when the account was disabled or deleted, its password changed, or its limit of failures reached, since
 * it was verified. The lock makes it wait for such a change that is under way, which then ends no session too few.
 */
export async function openSession(
  deps: Pick<Deps, "em" | "clock" | "sessionLimits">,
  { account, key }: { readonly account: Pick<Account, "id" | "passwordHash">; readonly key: string },
  origin: CallOrigin,
): Promise<OpenedSession | null> {
  const token = newToken();
  const now = deps.clock.now();
  const { ip, user_agent: userAgent } = storedOrigin(origin);
  const failures = sql`coalesce((select failures from ${failuresOf(key, now)} f), 0)`;
  const { rows } = await sql<{ failures: number }>`
    insert into sessions (id, token_hash, user_id, created_at, last_used_at, expires_at, ip, user_agent)
    select ${newId()}::uuid, ${hashToken(token)}::bytea, id, ${now}::bigint, ${now}::bigint,
      ${now + deps.sessionLimits.ttl}::bigint, ${ip}, ${userAgent}
    from users where id = ${account.id} and is_active and password_hash = ${account.passwordHash}
      and ${failures} < ${MAX_FAILURES}
    for share
    returning ${failures} as failures`.execute(deps.em.getKysely<AuthTables>());
  return rows[0] === undefined ? null : { token, failures: rows[0].failures };
}

/**
 * Throws UNAUTHENTICATED when the caller's own session has been ended since its call began. Inside a transaction that has tried to
 * lock the user's row: who ends sessions waits for that, or has been waited for.
 */
export async function assertNotEnded(em: SqlEntityManager, { sessionId }: Pick<Caller, "sessionId">): Promise<void> {
  const db = em.getKysely<AuthTables>();
  const own = await db.selectFrom("sessions").select("id").where("id", "=", sessionId).executeTakeFirst();
  if (own === undefined) throw new AppError("UNAUTHENTICATED");
}

/** Deletes what can be of no use any more. For a schedule; nothing depends on it. */
export async function removeDeadSignIns(
  deps: Pick<Deps, "em" | "clock" | "sessionLimits">,
  failureWindow: number,
): Promise<void> {
  const db = deps.em.getKysely<AuthTables>();
  const now = deps.clock.now();
  await db
    .deleteFrom("sessions as s")
    .where((eb) => eb.not(isAlive(deps, now)))
    .execute();
  await db
    .deleteFrom("login_failures")
    .where("window_started_at", "<=", now - failureWindow)
    .execute();
}
