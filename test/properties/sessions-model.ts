import { FAILURE_WINDOW, MAX_FAILURES } from "../../src/server/auth/login-limit.ts";
import { DONE, FORBIDDEN, INVALID, UNAUTHENTICATED, type Verdict } from "./tell-stories.ts";

export const LOGIN_FAILED: Verdict = [401, "LOGIN_FAILED"];
export const WRONG_PASSWORD: Verdict = [400, "WRONG_PASSWORD"];
export const LIMITED: Verdict = [429, "TOO_MANY_REQUESTS"];
/** Use of a session is noted at most this often, in seconds. */
const NOTED_EVERY = 60;

interface ModelSession {
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

/** The sign-ins of one account, told a second time: which tokens live, which password is right, when guessing is over. */
export function sessionsModel({ now, ttl, idle, ...account }: SessionRules) {
  const sessions = new Map<string, ModelSession>();
  const failures = new Map<"login" | "change", Failures>();
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
  function counted(door: "login" | "change"): number {
    const found = failures.get(door);
    return found !== undefined && found.since > now() - FAILURE_WINDOW ? found.count : 0;
  }
  function countFailure(door: "login" | "change"): void {
    const found = failures.get(door);
    if (found === undefined || counted(door) === 0) failures.set(door, { since: now(), count: 1 });
    else found.count++;
  }

  return {
    isDeleted: () => state === "deleted",
    password: () => password,

    login(given: string): Verdict {
      if (counted("login") >= MAX_FAILURES) return LIMITED;
      if (state !== "active" || given !== password) {
        countFailure("login");
        return LOGIN_FAILED;
      }
      failures.delete("login");
      return DONE;
    },
    signedIn(token: string): void {
      sessions.set(token, { expiresAt: now() + ttl, usedAt: now() });
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
      sessions.set(token, { expiresAt: sessions.get(old)?.expiresAt ?? 0, usedAt: now() });
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
      if (counted("change") >= MAX_FAILURES) return LIMITED;
      if (current !== password) {
        countFailure("change");
        return WRONG_PASSWORD;
      }
      failures.delete("change");
      password = next;
      mustChange = false;
      for (const other of [...sessions.keys()]) if (other !== token) sessions.delete(other);
      return DONE;
    },

    switch(to: "active" | "disabled" | "deleted"): void {
      if (to === "deleted") failures.delete("login");
      if (to !== "active") sessions.clear();
      state = to;
    },

    reset(next: string): void {
      password = next;
      mustChange = true;
      sessions.clear();
      failures.delete("login");
    },
  };
}
