import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { kyselyOf } from "../database/kysely.ts";
import { appendEvent } from "../events/append.ts";

/** Bounds one statement, so that a very large configuration stays within the statement's time limit. */
const HOSTS_PER_STATEMENT = 5_000;

/** The hosts stay as gone, with assignments and history. The event names those that are assigned. `at` in Unix seconds. */
export async function releaseHostsOfConfig(
  em: SqlEntityManager,
  { configId, at }: { readonly configId: string; readonly at: number },
): Promise<void> {
  const db = kyselyOf(em);
  const next = db
    .selectFrom("hosts as h")
    .select("h.id")
    .where("h.config", "=", configId)
    .orderBy("h.id")
    .limit(HOSTS_PER_STATEMENT)
    .forUpdate();
  const hostIds: string[] = [];
  for (;;) {
    const released = await db
      .updateTable("hosts")
      .set((eb) => ({ goneAt: eb.fn.coalesce("goneAt", eb.val(at)), config: null, changedAt: at }))
      .where("id", "in", next)
      .returning("id")
      .execute();
    if (released.length === 0) break;
    // Nobody can assign these hosts until the commit, for their rows are locked.
    const assigned = await db
      .selectFrom("assignments as a")
      .select("a.host as id")
      .distinct()
      .where("a.endedAt", "is", null)
      .where((eb) => eb("a.host", "=", eb.fn.any(eb.val(released.map(({ id }) => id)))))
      .execute();
    hostIds.push(...assigned.map(({ id }) => id));
  }
  await appendEvent(em, { type: "hosts.changed", data: { configId, hostIds } }, at);
}
