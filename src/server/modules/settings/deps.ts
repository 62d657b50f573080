import type { Deps } from "../../platform/deps.ts";

export type SettingsDeps = Pick<Deps, "em" | "bus" | "clock" | "log">;
