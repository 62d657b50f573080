import type { Deps } from "../../platform/deps.ts";
import type { SyncDeps } from "../sync/deps.ts";

/** A batch may also ask the provider for hosts. */
export type AssignmentsDeps = SyncDeps & Pick<Deps, "stopping">;
