import { describe, expect, it } from "vitest";
import { useApp } from "../harness/app.ts";
import { append, progress } from "../harness/events.ts";
import { holdLock, itOnPostgresql } from "../harness/hold-lock.ts";
import { follow, progressNumbers } from "../harness/raw-client.ts";
import type { RestClient } from "../harness/rest.ts";
import { ROOT_USER } from "../harness/root-user.ts";

const app = useApp();

// A page is read over HTTP while its stream is being opened: nothing may be lost between the two.
describe("the Last-Event-Id of an answer over tRPC", () => {
  it("opens a stream that brings what has happened since the answer", async () => {
    await reachedByServer(1);
    const id = await lastEventId(app.root);
    await append(app, progress(2), progress(3));

    await using stream = await follow(app.url, app.root.token, id);

    await stream.until(() => progressNumbers(stream).length === 2);
    expect(stream.events[0]?.event.data).toEqual({ resumed: true });
    expect(progressNumbers(stream)).toEqual([2, 3]);
  });

  itOnPostgresql("is that of before the reading, however long it takes", async () => {
    await reachedByServer(1);
    await using lock = await holdLock(app.database, "lock table hosts in access exclusive mode");
    const reading = lastEventId(app.root, "hosts.summary");
    await lock.awaited();
    await reachedByServer(2);
    await lock.release();

    await using stream = await follow(app.url, app.root.token, await reading);

    await stream.until(() => progressNumbers(stream).length === 1);
    expect(progressNumbers(stream)).toEqual([2]);
  });

  it("comes with a sign-in", async () => {
    const answer = await app.anonymous.post("/trpc/auth.login", ROOT_USER);

    expect(answer.headers.get("last-event-id")).toMatch(/^\d+\.\d{7}$/);
  });

  it("is kept from strangers", async () => {
    const answer = await app.anonymous.get("/trpc/auth.me");

    expect(answer.status).toBe(401);
    expect(answer.headers.get("last-event-id")).toBeNull();
  });
});

async function lastEventId(client: RestClient, procedure = "auth.me"): Promise<string> {
  const { headers } = await client.get(`/trpc/${procedure}`);
  return headers.get("last-event-id") ?? "";
}

/** The server has read this event. */
async function reachedByServer(number: number): Promise<void> {
  await using stream = await follow(app.url, app.root.token);
  await append(app, progress(number));
  await stream.until(() => progressNumbers(stream).includes(number));
}
