import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { StreamEvent } from "../../shared/events.ts";
import type { Caller } from "../core/ports.ts";
import type { StoredEvent } from "./append.ts";

type StoredData = { [Event in StoredEvent as Event["type"]]: Event["data"] };
type StoredType = keyof StoredData;
/** Spelled so that the compiler sees, for any type, that the presenter of that type takes this event. */
type Stored<Type extends StoredType> = { [Each in Type]: { type: Each; data: StoredData[Each] } }[Type];

/** Most of what a thousand streams deliver is shown without a look at the database, so an EntityManager is made for those who need one. */
export type OpenEm = () => SqlEntityManager;

/** What this caller may see of an event at this moment, null for nothing. `now` in Unix seconds. */
export type EventPresenter<Type extends StoredType> = (
  openEm: OpenEm,
  caller: Caller,
  stored: Stored<Type>,
  now: number,
) => Promise<StreamEvent | null> | StreamEvent | null;

/** One for every kind of event; the domains make them, event-presenters.ts lists them. */
export type EventPresenters = { readonly [Type in StoredType]: EventPresenter<Type> };

export interface Presentation<Type extends StoredType> {
  readonly openEm: OpenEm;
  readonly caller: Caller;
  readonly stored: Stored<Type>;
  readonly now: number;
}

/** What was checked, by what was shown: presenters answer the same object to all who see the same. */
const checked = new WeakMap<StreamEvent, StreamEvent>();

/** Only what the contract's schema names gets out, whatever the presenter answers. Never changed once it is made. */
export async function presentEvent<Type extends StoredType>(
  presenters: EventPresenters,
  { openEm, caller, stored, now }: Presentation<Type>,
): Promise<StreamEvent | null> {
  const presented = await presenters[stored.type](openEm, caller, stored, now);
  if (presented === null) return null;
  const event = checked.get(presented) ?? StreamEvent.parse(presented);
  checked.set(presented, event);
  return event;
}
