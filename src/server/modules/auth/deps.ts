import type { Deps } from "../../platform/deps.ts";
import type { CallDeps } from "../../platform/trpc/context.ts";
import type { PasswordHasher } from "./password-hasher.ts";

declare module "../../platform/deps.ts" {
  interface ModuleDeps {
    readonly passwords: PasswordHasher;
    /** Absolute and idle life of a session, in seconds. */
    readonly sessionLimits: { readonly ttl: number; readonly idle: number };
  }
}

/** To find out which sessions are alive. */
export type SessionDeps = Pick<Deps, "em" | "clock" | "sessionLimits">;

/** Of calls: who calls may be anonymous, and has an address. */
export type AuthDeps = SessionDeps &
  Pick<
    CallDeps,
    | "actor"
    | "auditTrail"
    | "bus"
    | "databaseClock"
    | "jobs"
    | "log"
    | "metrics"
    | "passwords"
    | "secrets"
  >;
