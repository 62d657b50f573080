import type { Deps } from "../../platform/deps.ts";

export type RenewalsDeps = Pick<Deps, "actor" | "em" | "bus" | "clock" | "log">;
