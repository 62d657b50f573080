import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { appendEvents } from "../events/append.ts";

/** Tells of one client's assignment of one host that began, changed or ended. `configId` is the host's, null to name none; `at` in Unix seconds. */
export async function tellOfAssignment(
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
