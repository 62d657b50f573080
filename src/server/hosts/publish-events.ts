import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { appendEvent, appendEvents } from "../events/append.ts";
import type { StoredEventOf } from "../events/event.ts";

/** One client's assignment of one host began, changed or ended. `configId` may be null; `at` in Unix seconds. */
export async function publishAssignmentEvents(
  em: SqlEntityManager,
  { hostId, userId, configId }: { readonly hostId: string; readonly userId: string; readonly configId: string | null },
  at: number,
): Promise<void> {
  const data = { configId, hostIds: [hostId], userId };
  await appendEvents(
    em,
    [
      { type: "hosts.changed", data },
      { type: "assignment.changed", data: { hostId, userId } },
    ],
    at,
  );
}

/** Rows of hosts were written, or who sees them changed. No hosts, no event. `at` in Unix seconds. */
export async function publishHostEvents(
  em: SqlEntityManager,
  data: StoredEventOf<"hosts.changed">["data"],
  at: number,
): Promise<void> {
  if (data.hostIds.length > 0) await appendEvent(em, { type: "hosts.changed", data }, at);
}
