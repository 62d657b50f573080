import type { TestApp } from "../harness/app.ts";
import { insertHost } from "../harness/data.ts";
import { assertOk } from "../harness/rest.ts";

interface Period {
  /** Unix seconds. */
  readonly assignedAt: number;
  readonly assignedExpireTime: number;
}

/** A host with an assignment of this period, which renewals may have made as long as they like. */
export async function hostAssigned(
  app: TestApp,
  userId: string,
  { assignedAt, assignedExpireTime }: Period,
): Promise<string> {
  const hostId = await insertHost(app);
  await assertOk(app.root.post("/api/hosts/assign", { hostId, userId, days: 30 }));
  await app.database.query(
    "update assignments set assigned_at = $2, assigned_expire_time = $3 where host_id = $1",
    [hostId, assignedAt, assignedExpireTime],
  );
  return hostId;
}
