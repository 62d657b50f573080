import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { appendEvent } from "../events/append.ts";

/** Tells of hosts of one configuration whose rows were written, if any were. `at` in Unix seconds. */
export async function tellOfHosts(
  em: SqlEntityManager,
  { configId, hostIds }: { readonly configId: string; readonly hostIds: string[] },
  at: number,
): Promise<void> {
  if (hostIds.length > 0) await appendEvent(em, { type: "hosts.changed", data: { configId, hostIds } }, at);
}
