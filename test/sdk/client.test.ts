import { setTimeout } from "node:timers/promises";
import { TRPCClientError } from "@trpc/client";
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

const NEW_USER = { username: "zhang", password: PASSWORD, name: "张三", role: "client" } as const;

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

async function failure(call: Promise<unknown>): Promise<unknown> {
  try {
    await call;
  } catch (error) {
    return error;
  }
  throw new Error("the call did not fail");
}

/** An address that refuses connections. */
const nobodyThere = async () => `http://127.0.0.1:${await freePort()}`;

function changeSettings(value: boolean) {
  return app.root.put("/api/system-config", { show_network_info_to_client: value });
}

describe("signing in", () => {
  it("gives calls and subscriptions the session", async () => {
    expect(errorCode(await failure(client.api.auth.me.query()))).toBe("UNAUTHENTICATED");
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
    expect(errorCode(await failure(client.login("root", "Wrong1Password")))).toBe("LOGIN_FAILED");
    expect((await client.api.auth.me.query()).username).toBe("root");
  });

  it("ends with the call that signs out", async () => {
    await client.login("root", PASSWORD);
    await client.api.auth.logout.mutate();
    expect(errorCode(await failure(client.api.auth.me.query()))).toBe("UNAUTHENTICATED");
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

describe("errorCode", () => {
  it("names what was refused before any call of a batch was read", async () => {
    await client.login("root", PASSWORD);
    const calls = [
      client.api.users.create.mutate({ ...NEW_USER, name: "名".repeat(100_000) }),
      client.api.auth.changePassword.mutate({ currentPassword: PASSWORD, newPassword: PASSWORD }),
    ];
    const codes = (await Promise.all(calls.map(failure))).map(errorCode);
    expect(codes).toEqual(["PAYLOAD_TOO_LARGE", "PAYLOAD_TOO_LARGE"]);
  });

  it("is null for everything else", async () => {
    const foreign = { error: { code: -32001, message: "no", data: { code: "UNAUTHORIZED" } } };
    const absent = createConsoleClient({ url: await nobodyThere() });
    const lost = await failure(absent.api.auth.me.query());
    for (const error of [undefined, { data: { code: "CONFLICT" } }, TRPCClientError.from(foreign), lost]) {
      expect(errorCode(error)).toBeNull();
    }
  });
});

describe("an answer of another program", () => {
  it.each([
    ["a proxy's page while the server is away", 502, "UNAVAILABLE"],
    ["a page at a wrong base path", 404, "NOT_FOUND"],
    ["the start page of a single-page application", 200, "NOT_FOUND"],
  ])("fails with a code and the address: %s", async (_answer, status, code) => {
    vi.stubGlobal(
      "fetch",
      async () => new Response("<h1>hello</h1>", { status, headers: { "content-type": "text/html" } }),
    );
    const error = await failure(createConsoleClient({ url: "https://example.com/wrong" }).api.auth.me.query());
    expect(errorCode(error)).toBe(code);
    expect(error).toMatchObject({
      message: `No console server answered at https://example.com/wrong/trpc: HTTP ${status}, text/html`,
      data: { httpStatus: status },
    });
  });
});

describe("the url", () => {
  it("must be http or https", () => {
    for (const url of ["ftp://example.com", "ws://example.com", "example.com", ""]) {
      expect(() => createConsoleClient({ url })).toThrow(TypeError);
    }
  });

  it("may have a path, with or without a slash at its end", async () => {
    const requests: string[] = [];
    vi.stubGlobal("fetch", async (url: string) => {
      requests.push(url.replace(/\?.*/, ""));
      return Response.json({});
    });
    for (const url of ["https://example.com/console", "https://example.com/console/", "https://example.com"]) {
      await failure(createConsoleClient({ url }).api.auth.me.query());
    }
    expect(requests).toEqual([
      "https://example.com/console/trpc/auth.me",
      "https://example.com/console/trpc/auth.me",
      "https://example.com/trpc/auth.me",
    ]);
  });
});

/** Holds the first request for it back, until `letGo`. */
function holdBack(procedure: string) {
  const { fetch } = globalThis;
  const gate = Promise.withResolvers<void>();
  let requests = 0;
  vi.stubGlobal("fetch", async (url: string, init: RequestInit) => {
    if (url.includes(procedure) && ++requests === 1) await gate.promise;
    return fetch(url, init);
  });
  return { requests: () => requests, letGo: () => gate.resolve() };
}

describe("calls", () => {
  beforeEach(() => client.login("root", PASSWORD));

  it("never sends a pending call with the token of the next user", async () => {
    const held = holdBack("settings.update");
    const updating = client.api.settings.update.mutate({ show_network_info_to_client: true }).catch(errorCode);
    await vi.waitFor(() => expect(held.requests()).toBe(1));
    await client.api.auth.logout.mutate();
    await client.login("root", PASSWORD);
    held.letGo();
    expect([await updating, held.requests()]).toEqual(["UNAUTHENTICATED", 1]);
  });

  it("lists and a sync need no input", async () => {
    await app.config();
    const { hosts, users, renewals } = client.api;
    const { runs } = await hosts.sync.mutate();
    expect(runs).toMatchObject([{ status: "succeeded" }]);
    const pages = await Promise.all([
      hosts.list.query(),
      users.list.query(),
      renewals.list.query(),
      hosts.syncRuns.query(),
    ]);
    for (const { pagination } of pages) expect(pagination).toMatchObject({ page: 1, limit: 20 });
  });
});
