import type { SqlEntityManager } from "@mikro-orm/postgresql";
import type { StreamEvent } from "../../shared/events.ts";
import type { Caller } from "../core/ports.ts";
import type { StoredEvent, StoredEventOf } from "./event.ts";

/** What one caller may see of an event, null for nothing. */
export type View = (caller: Pick<Caller, "id" | "role">) => Promise<StreamEvent | null> | StreamEvent | null;

type Presenter<Event> = (em: SqlEntityManager, event: Event, now: number) => View;

type StoredType = StoredEvent["type"];

/** Spelled so that the compiler sees, for any type, that the presenter of that type takes this event. */
type Stored<Type extends StoredType> = { [Each in Type]: StoredEventOf<Each> }[Type];

/** Makes the view of an event as of `now` (Unix seconds). One for every type; the domains make them. */
export type Presenters = { readonly [Type in StoredType]: Presenter<Stored<Type>> };

/** One reading for all callers, begun when the first of them needs it. */
export function once<Value>(read: () => Promise<Value>): () => Promise<Value> {
  let value: Promise<Value> | undefined;
  return () => {
    value ??= read();
    return value;
  };
}

export function viewOf<Type extends StoredType>(
  presenters: Presenters,
  em: SqlEntityManager,
  event: Stored<Type>,
  now: number,
): View {
  return presenters[event.type](em, event, now);
}
