import type { SqlEntityManager } from "@mikro-orm/postgresql";
import type { StreamEvent } from "../../../shared/events.ts";
import type { Caller } from "../trpc/caller.ts";
import type { LoggedEvent } from "./store.ts";

/**
 * All events that may be stored. `event-presenters.ts`, which lists those of the modules, declares
 * its member, so that this file needs to know none of them.
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled in by declaration merging.
export interface DeclaredEvents {}

/**
 * `{type, data}` as it is kept in the log. Receivers get a `StreamEvent`, which a presenter makes
 * of it.
 */
export type StoredEvent = DeclaredEvents[keyof DeclaredEvents];

/** What of one event a caller may see; null when the caller may not hear of it. */
export type EventPresenter = (caller: Pick<Caller, "id" | "role" | "token">) => StreamEvent | null;

/**
 * Reads once who may see the event and what of it, as of `now` (Unix seconds). The presenter that
 * it returns answers for any number of callers without reading again.
 */
export type PresentEvent = (
  em: SqlEntityManager,
  event: LoggedEvent,
  now: number,
) => EventPresenter | Promise<EventPresenter>;
