import type { Deps } from "../core/deps.ts";

/** Seconds for which an event can be replayed at least. */
export const EVENT_RETENTION = 24 * 3600;

/**
 * Removes events older than the retention. Only ever a prefix of the log, and never its newest row: so `min(id)` and
 * `max(id)` always say what can be replayed, however long nothing has happened.
 */
export async function removeOldEvents({ em, clock }: Pick<Deps, "em" | "clock">): Promise<void> {
  await em.execute(
    `delete from events where id < coalesce(
       (select min(id) from events where created_at >= ?),
       (select max(id) from events))`,
    [clock.now() - EVENT_RETENTION],
  );
}
