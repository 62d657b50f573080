import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { StreamEvent } from "../../shared/events.ts";
import type { Clock } from "../core/clock.ts";
import type { Caller } from "../core/ports.ts";
import type { StoredEvent } from "./append.ts";

type StoredData = { [Event in StoredEvent as Event["type"]]: Event["data"] };
type StoredType = keyof StoredData;
/** Spelled so that the compiler sees, for any type, that the presenter of that type takes this event. */
type Stored<Type extends StoredType> = { [Each in Type]: { type: Each; data: StoredData[Each] } }[Type];

export interface PresenterDeps {
  /** Most of what a thousand streams deliver is shown without a look at the database, so one is made for those who need it. */
  readonly openEm: () => SqlEntityManager;
  readonly clock: Clock;
}

/** What this caller may see of an event at this moment, null for nothing. */
export type EventPresenter<Type extends StoredType> = (
  caller: Caller,
  stored: Stored<Type>,
) => Promise<StreamEvent | null> | StreamEvent | null;

/** One for every kind of event; the domains make them, event-presenters.ts lists them. */
export type EventPresenters = { readonly [Type in StoredType]: EventPresenter<Type> };

/** What was checked, by what was shown: presenters answer the same object to all who see the same. */
const checked = new WeakMap<StreamEvent, StreamEvent>();

/**
 * Only what the contract's schema names gets out, whatever the presenter answers. Never changed once it is made. At once when the
 * presenter answers at once: a promise for each of a thousand streams is something that must be cleaned up.
 */
export function presentEvent<Type extends StoredType>(
  presenters: EventPresenters,
  caller: Caller,
  stored: Stored<Type>,
): Promise<StreamEvent | null> | StreamEvent | null {
  const presented = presenters[stored.type](caller, stored);
  return presented instanceof Promise ? presented.then(check) : check(presented);
}

function check(presented: StreamEvent | null): StreamEvent | null {
  if (presented === null) return null;
  const event = checked.get(presented) ?? StreamEvent.parse(presented);
  checked.set(presented, event);
  return event;
}
