import { expect } from "vitest";
import type { RestClient } from "../../harness/rest.ts";
import { signIn } from "../../harness/stage.ts";

const CLIENT = { username: "kehu", password: "Correct2Horse" } as const;
const DAY = 86_400;

/** A client and the host that is handed out to him. */
export interface Renewing {
  readonly userId: string;
  readonly hostId: string;
}

/** A client with the first host there is. */
export async function renewingClient(root: RestClient): Promise<Renewing> {
  const user = await root.post("/api/users", { ...CLIENT, name: "客户", role: "client" });
  expect(user.status, JSON.stringify(user.body)).toBe(201);
  const { data } = await root.get("/api/hosts?limit=1");
  return { userId: String(user.data.id), hostId: String(data.hosts[0].id) };
}

/** Hands the host out anew and requests thirty more days as the client. */
export async function pendingRenewal(
  url: string,
  root: RestClient,
  { userId, hostId }: Renewing,
): Promise<{ readonly id: string; readonly expiry: number }> {
  const now = Math.floor(Date.now() / 1000);
  const expiry = now + 30 * DAY;
  const period = { assignedAt: now - DAY, assignedExpireTime: expiry };
  const assigned = await root.post("/api/hosts/assign", { hostId, userId, ...period });
  expect(assigned.status, JSON.stringify(assigned.body)).toBe(200);
  const client = await signIn(url, CLIENT);
  const created = await client.post("/api/renewals", { hostId, requestedDuration: 30 });
  expect(created.status, JSON.stringify(created.body)).toBe(201);
  return { id: String(created.data.id), expiry };
}
