import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { StreamEvent } from "../../shared/events.ts";
import type { Caller } from "../core/ports.ts";
import type { StoredEvent } from "./append.ts";

type StoredData = { [Event in StoredEvent as Event["type"]]: Event["data"] };
type StoredType = keyof StoredData;
/** Spelled so that the compiler sees, for any type, that the presenter of that type takes this event. */
type Stored<Type extends StoredType> = { [Each in Type]: { type: Each; data: StoredData[Each] } }[Type];

/** What this caller may see of an event at this moment, null for nothing. `now` in Unix seconds. */
export type EventPresenter<Type extends StoredType> = (
  em: SqlEntityManager,
  caller: Caller,
  stored: Stored<Type>,
  now: number,
) => Promise<StreamEvent | null> | StreamEvent | null;

/** One for every kind of event; the domains make them, event-presenters.ts lists them. */
export type EventPresenters = { readonly [Type in StoredType]: EventPresenter<Type> };

export interface Presentation<Type extends StoredType> {
  readonly em: SqlEntityManager;
  readonly caller: Caller;
  readonly stored: Stored<Type>;
  readonly now: number;
}

/** Only what the contract's schema names gets out, whatever the presenter answers. */
export async function presentEvent<Type extends StoredType>(
  presenters: EventPresenters,
  { em, caller, stored, now }: Presentation<Type>,
): Promise<StreamEvent | null> {
  const presented = await presenters[stored.type](em, caller, stored, now);
  return presented === null ? null : StreamEvent.parse(presented);
}
