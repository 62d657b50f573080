import { setTimeout } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { WebSocket as WsSocket } from "ws";
import { createConsoleClient, errorCode } from "../../src/sdk/index.ts";
import type { ConsoleClient, WebSocketClass } from "../../src/sdk/public-types.ts";
import type { StreamEvent } from "../../src/shared/events.ts";
import { PASSWORD, useApp } from "../harness/app.ts";
import { freePort } from "../harness/postgresql.ts";

const app = useApp();
let client: ConsoleClient;
let sockets: WebSocket[];

/** The runtime's own, with every socket kept in sight. */
class WatchedSocket extends WebSocket {
  constructor(url: string) {
    super(url);
    sockets.push(this);
  }
}

/** The server's end of it is on the way when the client has said who it is, before the first call. */
class ClosingSocket extends WatchedSocket {
  #isClosing = false;

  override get readyState(): number {
    return this.#isClosing ? WebSocket.CLOSING : super.readyState;
  }

  override send(data: Parameters<WebSocket["send"]>[0]): void {
    super.send(data);
    this.#isClosing = true;
  }
}

beforeEach(() => {
  sockets = [];
  client = createConsoleClient({ url: app.url, WebSocket: WatchedSocket });
});
afterEach(async () => {
  vi.unstubAllGlobals();
  await client.close();
});

function follow(of: ConsoleClient = client) {
  const events: StreamEvent[] = [];
  const errors: unknown[] = [];
  let completed = 0;
  const { unsubscribe } = of.api.events.stream.subscribe(undefined, {
    onData: ({ data }) => events.push(data),
    onError: (error) => errors.push(error),
    onComplete: () => completed++,
  });
  return { events, errors, completed: () => completed, unsubscribe };
}

async function until({ events }: ReturnType<typeof follow>, type: StreamEvent["type"], count = 1): Promise<void> {
  await vi.waitFor(() => expect(events.filter((event) => event.type === type)).toHaveLength(count), 6_000);
}

/** Signs in as the first super admin and follows the events. */
async function followAsRoot() {
  await client.login("root", PASSWORD);
  const following = follow();
  await until(following, "stream.ready");
  return following;
}

/** An address that refuses connections. */
const nobodyThere = async () => `http://127.0.0.1:${await freePort()}`;

function changeSettings(value: boolean) {
  return app.root.put("/api/system-config", { show_network_info_to_client: value });
}

describe("signing in", () => {
  it("gives calls and subscriptions the session", async () => {
    expect(await client.api.auth.me.query().catch(errorCode)).toBe("UNAUTHENTICATED");
    const { token, user } = await client.login("root", PASSWORD);
    expect([token.length > 20, user.role]).toEqual([true, "super_admin"]);
    expect(await client.api.auth.me.query()).toEqual(user);
    const following = follow();
    await until(following, "stream.ready");
    await changeSettings(true);
    await until(following, "settings.changed");
    expect(sockets).toHaveLength(1);
  });

  it("with a wrong password fails as LOGIN_FAILED and leaves the session there was", async () => {
    await client.login("root", PASSWORD);
    expect(await client.login("root", "Wrong1Password").catch(errorCode)).toBe("LOGIN_FAILED");
    expect((await client.api.auth.me.query()).username).toBe("root");
  });

  it("ends with the call that signs out", async () => {
    await client.login("root", PASSWORD);
    await client.api.auth.logout.mutate();
    expect(await client.api.auth.me.query().catch(errorCode)).toBe("UNAUTHENTICATED");
  });
});

describe("a subscription", () => {
  it("without a session ends as UNAUTHENTICATED without a socket", async () => {
    const { errors } = follow();
    await vi.waitFor(() => expect(errors.map(errorCode)).toEqual(["UNAUTHENTICATED"]));
    expect(sockets).toHaveLength(0);
  });

  it.each([
    ["", WatchedSocket],
    [", also when the server is faster than the question", ClosingSocket],
  ])("with a token that is dead ends as UNAUTHENTICATED after two connections%s", async (_when, WebSocket) => {
    const late = createConsoleClient({ url: app.url, token: "x".repeat(43), WebSocket });
    const { errors } = follow(late);
    await vi.waitFor(() => expect(errors.map(errorCode)).toEqual(["UNAUTHENTICATED"]), 5_000);
    await setTimeout(1_500);
    expect([sockets.length, errors.length]).toEqual([2, 1]);
  });

  it("ends as UNAUTHENTICATED with its session, and stops reconnecting; after a new sign-in there are new ones", async () => {
    const { username } = await app.account("client");
    const { user } = await client.login(username, PASSWORD);
    const [first, second] = [follow(), follow()];
    await until(first, "stream.ready");
    await until(second, "stream.ready");
    await app.root.post(`/api/users/${user.id}/reset-password`, {});
    await vi.waitFor(
      () => expect([first, second].flatMap(({ errors }) => errors.map(errorCode))).toHaveLength(2),
      5_000,
    );
    await setTimeout(1_500);
    expect([first, second].map(({ errors }) => errors.map(errorCode))).toEqual([
      ["UNAUTHENTICATED"],
      ["UNAUTHENTICATED"],
    ]);
    expect(sockets).toHaveLength(2);
    await client.login("root", PASSWORD);
    await until(follow(), "stream.ready");
    expect(sockets).toHaveLength(3);
  });

  it("goes on when the old token is refused before the answer of the refresh arrives", async () => {
    const following = await followAsRoot();
    const { fetch } = globalThis;
    vi.stubGlobal("fetch", async (url: string, init: RequestInit) => {
      const response = await fetch(url, init);
      await vi.waitFor(() => expect(sockets[0]?.readyState).toBe(WebSocket.CLOSED), 5_000);
      return response;
    });
    await client.api.auth.refresh.mutate();
    await until(following, "stream.ready", 2);
    await changeSettings(true);
    await until(following, "settings.changed");
    expect([following.errors, sockets.length]).toEqual([[], 2]);
  });

  it("whose connection breaks comes back and misses nothing", async () => {
    const following = await followAsRoot();
    sockets[0]?.close(4000);
    await changeSettings(true);
    await until(following, "settings.changed");
    expect(following.events.filter(({ type }) => type === "stream.ready")).toEqual([
      { type: "stream.ready", data: { resumed: false } },
      { type: "stream.ready", data: { resumed: true } },
    ]);
    expect([following.errors, sockets.length]).toEqual([[], 2]);
  });

  it("that was the last lets the socket go", async () => {
    const following = await followAsRoot();
    following.unsubscribe();
    await vi.waitFor(() => expect(sockets[0]?.readyState).toBe(WebSocket.CLOSED), 5_000);
    await until(follow(), "stream.ready");
    expect(sockets).toHaveLength(2);
  });

  it("works with the package ws, and without any WebSocket says what to do while calls still work", async () => {
    vi.stubGlobal("WebSocket", undefined);
    const without = createConsoleClient({ url: app.url, token: app.root.token });
    const { errors } = follow(without);
    expect(errors).toMatchObject([{ message: expect.stringContaining("createConsoleClient({ url, WebSocket })") }]);
    expect(errors.map(errorCode)).toEqual([null]);
    expect((await without.api.auth.me.query()).username).toBe("root");
    const ws: WebSocketClass = WsSocket;
    const withWs = createConsoleClient({ url: app.url, token: app.root.token, WebSocket: ws });
    await until(follow(withWs), "stream.ready");
    await withWs.close();
  });
});

describe("closing", () => {
  it("ends subscriptions and the socket for good, while calls still work", async () => {
    const following = await followAsRoot();
    await client.close();
    await vi.waitFor(() => expect(sockets[0]?.readyState).toBe(WebSocket.CLOSED), 2_000);
    await changeSettings(true);
    await setTimeout(1_000);
    expect([following.completed(), following.errors, following.events.length, sockets.length]).toEqual([1, [], 1, 1]);
    expect((await client.api.auth.me.query()).username).toBe("root");
    await until(follow(), "stream.ready");
  });

  it("does not wait for a server that is not there", async () => {
    const lost = createConsoleClient({ url: await nobodyThere(), token: "x", WebSocket: WatchedSocket });
    const { errors } = follow(lost);
    await vi.waitFor(() => expect(sockets.length).toBeGreaterThan(1), 5_000);
    const started = performance.now();
    await lost.close();
    expect(performance.now() - started).toBeLessThan(1_000);
    const tried = sockets.length;
    await setTimeout(1_500);
    expect([sockets.length, errors]).toEqual([tried, []]);
  });
});
