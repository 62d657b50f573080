import { LIMITS } from "../../src/server/auth/login-limit.ts";
import { MAX_SESSIONS_PER_USER } from "../../src/server/auth/sessions.ts";
import { DONE, FORBIDDEN, INVALID, UNAUTHENTICATED, type Verdict } from "./random-actions.ts";

export const LOGIN_FAILED: Verdict = [401, "LOGIN_FAILED"];
export const WRONG_PASSWORD: Verdict = [400, "WRONG_PASSWORD"];
export const LIMITED: Verdict = [429, "TOO_MANY_REQUESTS"];
/** Use of a session is noted at most this often, in seconds. */
const NOTED_EVERY = 60;

interface ModelSession {
  readonly createdAt: number;
  readonly expiresAt: number;
  usedAt: number;
}

interface Failures {
  readonly since: number;
  count: number;
}

export interface SessionRules {
  now(): number;
  readonly ttl: number;
  readonly idle: number;
  readonly password: string;
}

/** The sign-ins of one account from one address, which knows it, told a second time: which tokens live, which password is right, when guessing is over. */
export function sessionsModel({ now, ttl, idle, ...account }: SessionRules) {
  const sessions = new Map<string, ModelSession>();
  const failures = new Map<keyof typeof LIMITS, Failures>();
  let state: "active" | "disabled" | "deleted" = "active";
  let { password } = account;
  let mustChange = false;

  function isAlive(token: string): boolean {
    const session = sessions.get(token);
    return session !== undefined && session.expiresAt > now() && session.usedAt > now() - idle;
  }
  /** As every call does before anything else. */
  function use(token: string): boolean {
    const session = sessions.get(token);
    if (session === undefined || !isAlive(token)) return false;
    if (session.usedAt <= now() - NOTED_EVERY) session.usedAt = now();
    return true;
  }
  function counted(limit: keyof typeof LIMITS): number {
    const found = failures.get(limit);
    return found !== undefined && found.since > now() - LIMITS[limit].window ? found.count : 0;
  }
  function isReached(limit: keyof typeof LIMITS): boolean {
    return counted(limit) >= LIMITS[limit].max;
  }
  function countFailure(limit: keyof typeof LIMITS): void {
    const found = failures.get(limit);
    if (found === undefined || counted(limit) === 0) failures.set(limit, { since: now(), count: 1 });
    else found.count++;
  }

  return {
    isDeleted: () => state === "deleted",
    password: () => password,

    login(given: string): Verdict {
      if (isReached("accountAtAddress") || isReached("address")) return LIMITED;
      if (state !== "active" || given !== password) {
        countFailure("accountAtAddress");
        countFailure("address");
        return LOGIN_FAILED;
      }
      failures.delete("accountAtAddress");
      return DONE;
    },
    signedIn(token: string): void {
      sessions.set(token, { createdAt: now(), expiresAt: now() + ttl, usedAt: now() });
      const alive = [...sessions].filter(([each]) => isAlive(each));
      const oldestFirst = alive.toSorted(([, one], [, other]) => one.createdAt - other.createdAt);
      for (const [each] of oldestFirst.slice(0, -MAX_SESSIONS_PER_USER)) sessions.delete(each);
    },

    me: (token: string): Verdict => (use(token) ? DONE : UNAUTHENTICATED),

    /** A call that wants a password of one's own first. */
    settings(token: string): Verdict {
      if (!use(token)) return UNAUTHENTICATED;
      return mustChange ? FORBIDDEN : DONE;
    },

    refresh: (token: string): Verdict => (use(token) ? DONE : UNAUTHENTICATED),
    /** The new token ends when the old one would have. */
    refreshed(old: string, token: string): void {
      const { createdAt = 0, expiresAt = 0 } = sessions.get(old) ?? {};
      sessions.set(token, { createdAt, expiresAt, usedAt: now() });
      sessions.delete(old);
    },

    logout(token: string): Verdict {
      if (!use(token)) return UNAUTHENTICATED;
      sessions.delete(token);
      return DONE;
    },

    change(token: string, current: string, next: string): Verdict {
      if (!use(token)) return UNAUTHENTICATED;
      if (current === next) return INVALID;
      if (isReached("passwordChange")) return LIMITED;
      if (current !== password) {
        countFailure("passwordChange");
        return WRONG_PASSWORD;
      }
      failures.delete("passwordChange");
      password = next;
      mustChange = false;
      for (const other of [...sessions.keys()]) if (other !== token) sessions.delete(other);
      return DONE;
    },

    switch(to: "active" | "disabled" | "deleted"): void {
      if (to === "deleted") failures.delete("accountAtAddress");
      if (to !== "active") sessions.clear();
      state = to;
    },

    reset(next: string): void {
      password = next;
      mustChange = true;
      sessions.clear();
      failures.delete("accountAtAddress");
    },
  };
}
