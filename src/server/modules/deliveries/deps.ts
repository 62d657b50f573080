import type { Deps } from "../../platform/deps.ts";

declare module "../../platform/deps.ts" {
  interface ModuleDeps {
    /** Where people open the console, for links in messages; null where nobody has said. */
    readonly consoleOrigin: string | null;
  }
}

/** Of a job: the queue hands itself to what it delivers. */
export type DeliveriesDeps = Pick<
  Deps,
  | "bus"
  | "clock"
  | "consoleOrigin"
  | "databaseClock"
  | "em"
  | "log"
  | "metrics"
  | "outbound"
  | "secrets"
  | "transactionTurns"
>;

/** Of a call that sends a message at once. */
export type TestDeps = Pick<
  Deps,
  "auditTrail" | "clock" | "consoleOrigin" | "em" | "outbound" | "secrets" | "stopping"
>;
