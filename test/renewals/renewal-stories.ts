import { expect, vi } from "vitest";
import type { StreamEvent } from "../../src/shared/events.ts";
import type { RenewalStatus } from "../../src/shared/renewals.ts";
import type { Account, TestApp } from "../harness/app.ts";
import type { RestAnswer } from "../harness/rest.ts";

/** Makes a request of the client for this host; answers its id. */
export async function request(client: Account, hostId: string, requestedDuration = 30): Promise<string> {
  const answer = await client.post("/api/renewals", { hostId, requestedDuration });
  if (answer.status !== 201) throw new Error(`the request answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return String(answer.data.id);
}

/** Decides it as the first super admin; a rejection has its remark. */
export function decide({ root }: Pick<TestApp, "root">, id: string, status: string): Promise<RestAnswer> {
  return root.put(`/api/renewals/${id}/process`, { status, adminRemark: "已核对" });
}

/** A request of the client that has come to this state by the calls that lead there. */
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

/** The client's expiry as the host list tells it. */
export async function expiryOf({ root }: Pick<TestApp, "root">, hostId: string, client: Account): Promise<number> {
  const { data } = await root.get(`/api/hosts/${hostId}`);
  return data.users.find(({ id }: { readonly id: string }) => id === client.id).assignedExpireTime;
}

export function idsOf(answer: RestAnswer): string[] {
  return answer.data.requests.map(({ id }: { readonly id: string }) => id);
}

/** Status and code of a failure, for comparing many. */
export function failureOf({ status, data }: RestAnswer): [number, string] {
  return [status, data.code];
}

export interface Ear {
  readonly heard: StreamEvent[];
  /** Everything up to the change of settings that the story ends with, so that what should not come had its chance. */
  untilLast(): Promise<StreamEvent[]>;
}

/** Follows the event stream as this account, from now on or from an event on. */
export async function listen(
  app: Pick<TestApp, "trpc">,
  { token }: Pick<Account, "token">,
  lastEventId?: string,
): Promise<Ear> {
  const heard: StreamEvent[] = [];
  app.trpc(token ?? "").events.stream.subscribe(lastEventId === undefined ? undefined : { lastEventId }, {
    onData: ({ data }) => heard.push(data),
  });
  await vi.waitFor(() => expect(heard.length).toBeGreaterThan(0), 5_000);
  heard.shift();
  return {
    heard,
    async untilLast() {
      await vi.waitFor(() => expect(heard.at(-1)?.type).toBe("settings.changed"), 5_000);
      return heard.slice(0, -1);
    },
  };
}
