import type { Deps } from "../../platform/deps.ts";

export type HostsDeps = Pick<Deps, "em" | "clock">;
