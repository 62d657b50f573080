import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { appendEvent } from "../events/append.ts";

export interface Departure {
  /** What the client has. */
  readonly hostIds: string[];
  readonly formerAdminId: string | null;
  /** Unix seconds. */
  readonly at: number;
}

/**
 * Tells of the hosts of a client who leaves an admin. Who sees them now is found at delivery; the former admin is not among those
 * any more and has to be named, once being enough to make it look again.
 */
export async function tellOfDeparture(em: SqlEntityManager, { hostIds, formerAdminId, at }: Departure): Promise<void> {
  const [hostId] = hostIds;
  if (hostId === undefined) return;
  await appendEvent(em, { type: "hosts.changed", data: { configId: null, hostIds } }, at);
  if (formerAdminId === null) return;
  await appendEvent(em, { type: "assignment.changed", data: { hostId, userId: formerAdminId } }, at);
}
