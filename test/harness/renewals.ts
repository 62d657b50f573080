import { expect, vi } from "vitest";
import type { StreamEvent } from "../../src/shared/events.ts";
import type { RenewalStatus } from "../../src/shared/renewals.ts";
import type { Account, TestApp } from "./app.ts";
import type { RestAnswer } from "./rest.ts";

/** Creates a renewal request and returns its id. */
export async function request(client: Account, hostId: string, requestedDuration = 30): Promise<string> {
  const answer = await client.post("/api/renewals", { hostId, requestedDuration });
  if (answer.status !== 201) throw new Error(`the request answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return String(answer.data.id);
}

/** Decides a request as the first super admin. */
export function decide({ root }: Pick<TestApp, "root">, id: string, status: string): Promise<RestAnswer> {
  return root.put(`/api/renewals/${id}/process`, { status, adminRemark: "已核对" });
}

/** Creates a request and brings it to the status through the API. */
export async function requestIn(
  app: Pick<TestApp, "root">,
  { client, hostId }: { readonly client: Account; readonly hostId: string },
  status: RenewalStatus,
): Promise<string> {
  const id = await request(client, hostId);
  if (status === "cancelled") await client.delete(`/api/renewals/${id}`);
  else if (status !== "pending") await decide(app, id, status);
  expect((await app.root.get(`/api/renewals/${id}`)).data.status).toBe(status);
  return id;
}

/** Expiry of the client's assignment, in Unix seconds. */
export async function expiryOf({ root }: Pick<TestApp, "root">, hostId: string, client: Account): Promise<number> {
  const { data } = await root.get(`/api/hosts/${hostId}`);
  return data.users.find(({ id }: { readonly id: string }) => id === client.id).assignedExpireTime;
}

export function idsOf(answer: RestAnswer): string[] {
  return answer.data.requests.map(({ id }: { readonly id: string }) => id);
}

/** Status and error code of an answer. */
export function failureOf({ status, data }: RestAnswer): [number, string] {
  return [status, data.code];
}

export interface Listener {
  readonly received: StreamEvent[];
  /** Waits for the last change of a test and returns the events before it. */
  untilLast(): Promise<StreamEvent[]>;
}

/** Follows the event stream of an account, from now or after an event. */
export async function listen(
  app: Pick<TestApp, "trpc">,
  { token }: Pick<Account, "token">,
  lastEventId?: string,
): Promise<Listener> {
  const received: StreamEvent[] = [];
  app.trpc(token ?? "").events.stream.subscribe(lastEventId === undefined ? undefined : { lastEventId }, {
    onData: ({ data }) => received.push(data),
  });
  await vi.waitFor(() => expect(received.length).toBeGreaterThan(0), 5_000);
  received.shift();
  return {
    received,
    async untilLast() {
      await vi.waitFor(() => expect(received.at(-1)?.type).toBe("settings.changed"), 5_000);
      return received.slice(0, -1);
    },
  };
}
