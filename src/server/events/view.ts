import type { SqlEntityManager } from "@mikro-orm/postgresql";
import type { StreamEvent } from "../../shared/events.ts";
import type { Caller } from "../core/ports.ts";
import type { StoredEvent } from "./event.ts";

/** What one caller may see of an event, null for nothing. */
export type View = (caller: Pick<Caller, "id" | "role">) => Promise<StreamEvent | null> | StreamEvent | null;

export type ViewOf = (em: SqlEntityManager, event: StoredEvent, now: number) => View;
