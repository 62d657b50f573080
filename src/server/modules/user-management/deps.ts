import type { Deps } from "../../platform/deps.ts";

export type UserManagementDeps = Pick<Deps, "actor" | "em" | "bus" | "clock" | "passwords">;
