import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { kyselyOf } from "../database/kysely.ts";
import { appendEvent } from "../events/append.ts";

/** Bounds one statement, so that a very large configuration stays within the statement's time limit. */
const HOSTS_PER_STATEMENT = 5_000;

interface Release {
  readonly configId: string;
  /** Hosts of these projects, and of the account's default project, stay. Absent: all hosts are released. */
  readonly exceptProjectIds?: readonly string[];
  /** Unix seconds. */
  readonly at: number;
}

/** Hosts leave a configuration: they are kept as gone, with assignments and history. The event names those that are assigned. */
export async function releaseHosts(em: SqlEntityManager, { configId, exceptProjectIds, at }: Release): Promise<void> {
  const db = kyselyOf(em);
  const next = db
    .selectFrom("hosts as h")
    .select("h.id")
    .where("h.config", "=", configId)
    .$if(exceptProjectIds !== undefined, (hosts) =>
      hosts.where("h.projectId", "not in", ["", ...(exceptProjectIds ?? [])]),
    )
    .orderBy("h.id")
    .limit(HOSTS_PER_STATEMENT)
    .forUpdate();
  const hostIds: string[] = [];
  let count = 0;
  for (;;) {
    const released = await db
      .updateTable("hosts")
      .set((eb) => ({ goneAt: eb.fn.coalesce("goneAt", eb.val(at)), config: null, changedAt: at, missingSince: null }))
      .where("id", "in", next)
      .returning("id")
      .execute();
    if (released.length === 0) break;
    count += released.length;
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
  if (count > 0) await appendEvent(em, { type: "hosts.changed", data: { configId, hostIds } }, at);
}
