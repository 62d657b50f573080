import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { appendEvent, appendEvents } from "../events/append.ts";

/** Publishes that one client's assignment of one host began, changed or ended. A `configId` of null names no configuration; `at` in Unix seconds. */
export async function publishAssignmentEvents(
  em: SqlEntityManager,
  { hostId, userId, configId }: { readonly hostId: string; readonly userId: string; readonly configId: string | null },
  at: number,
): Promise<void> {
  await appendEvents(
    em,
    [
      { type: "hosts.changed", data: { configId, hostIds: [hostId], userId } },
      { type: "assignment.changed", data: { hostId, userId } },
    ],
    at,
  );
}

/** Publishes that rows of hosts of one configuration were written, if any were. `at` in Unix seconds. */
export async function publishHostEvents(
  em: SqlEntityManager,
  { configId, hostIds }: { readonly configId: string; readonly hostIds: string[] },
  at: number,
): Promise<void> {
  if (hostIds.length > 0) await appendEvent(em, { type: "hosts.changed", data: { configId, hostIds } }, at);
}
