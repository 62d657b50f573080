import type { Deps } from "../../platform/deps.ts";

export type UsersDeps = Pick<Deps, "em">;
