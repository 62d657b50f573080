import type { Deps } from "../../platform/deps.ts";

export type HistoryDeps = Pick<Deps, "em" | "clock">;
