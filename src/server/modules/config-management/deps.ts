import type { Deps } from "../../platform/deps.ts";
import type { ProviderDeps } from "../provider-configs/deps.ts";

export type ConfigsDeps = ProviderDeps & Pick<Deps, "actor" | "em" | "bus" | "databaseClock">;
