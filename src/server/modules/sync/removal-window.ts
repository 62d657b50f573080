import type { SqlEntityManager } from "@mikro-orm/postgresql";
import type { ExpressionBuilder } from "kysely";
import { MASS_REMOVAL } from "../../../shared/sync.ts";
import { MAX_CLOCK_SKEW_SECONDS } from "../../platform/clock.ts";
import { kyselyOf, type Tables } from "../../platform/database/kysely.ts";
import { REMOVAL_WINDOW_SECONDS, type RemovalWindow } from "./absence.ts";

type HostExpressions = ExpressionBuilder<Tables, "hosts">;

/** Counts a configuration's hosts for `isMassRemoval`. `now` in Unix seconds. */
export async function readRemovalWindow(
  em: SqlEntityManager,
  configId: string,
  now: number,
): Promise<RemovalWindow> {
  const counts = await countHosts(em, configId, now).executeTakeFirstOrThrow();
  const { present, removed, oldPresent, oldPresentUnheld, oldRemoved } = counts;

  const isFirstDay = oldPresent + oldRemoved === 0;
  const counted = isFirstDay
    ? { hosts: present + removed, removed }
    : { hosts: oldPresentUnheld + oldRemoved, removed: oldRemoved };
  return { ...counted, now, isFirstDay, present };
}

/**
 * Present hosts and those removed within the window are counted apart, each by an index of its own:
 * the hosts that vanished in all the years before are not read.
 */
export function countHosts(em: SqlEntityManager, configId: string, now: number) {
  const start = now - REMOVAL_WINDOW_SECONDS;
  const latest = now + MAX_CLOCK_SKEW_SECONDS;
  const hosts = kyselyOf(em).selectFrom("hosts").where("config", "=", configId);

  // A host of the future would be taken for a young one, which never counts as removed.
  const isOld = (eb: HostExpressions) =>
    eb.or([eb("presentSince", "<=", start), eb("presentSince", ">", latest)]);
  const isUnheld = (eb: HostExpressions) => eb("heldReason", "is distinct from", MASS_REMOVAL);

  const present = hosts.where("goneAt", "is", null).select((eb) => [
    eb.fn.countAll<number>().filterWhere(isUnheld(eb)).as("present"),
    eb.fn.countAll<number>().filterWhere(isOld(eb)).as("oldPresent"),
    eb.fn
      .countAll<number>()
      .filterWhere(isOld(eb).and(isUnheld(eb)))
      .as("oldPresentUnheld"),
  ]);
  const removed = hosts
    .where("goneAt", ">", start)
    .where("goneAt", "<=", latest)
    .where("removalConfirmedAt", "is", null)
    .select((eb) => [
      eb.fn.countAll<number>().as("removed"),
      eb.fn.countAll<number>().filterWhere(isOld(eb)).as("oldRemoved"),
    ]);

  return kyselyOf(em)
    .selectFrom(present.as("p"))
    .innerJoin(removed.as("r"), (join) => join.onTrue())
    .selectAll();
}
