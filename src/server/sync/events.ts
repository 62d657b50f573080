import type { StreamEvent } from "../../shared/events.ts";
import { isSuperAdmin } from "../../shared/roles.ts";
import type { Caller } from "../core/ports.ts";
import type { StoredEvent } from "../events/append.ts";

export type StoredSyncEvent = Extract<StoredEvent, { type: "sync.progress" | "sync.finished" }>;

/** Runs are the operator's business; null for everybody else. */
export function presentSyncEvent(caller: Pick<Caller, "role">, stored: StoredSyncEvent): StreamEvent | null {
  return isSuperAdmin(caller.role) ? stored : null;
}
