import type { Deps } from "../../platform/deps.ts";

export type UsersDeps = Pick<Deps, "em">;

export type ListUsersDeps = Pick<Deps, "em" | "clock">;
