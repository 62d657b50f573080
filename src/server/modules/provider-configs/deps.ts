import type { Deps } from "../../platform/deps.ts";
import type { CallGates } from "../../provider/call-gate.ts";

declare module "../../platform/deps.ts" {
  interface ModuleDeps {
    readonly callGates: CallGates;
  }
}

/** To call the provider with the key of a configuration. */
export type ProviderDeps = Pick<
  Deps,
  "secrets" | "outbound" | "callGates" | "log" | "metrics" | "clock"
>;
