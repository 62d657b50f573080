import { setTimeout } from "node:timers/promises";
import { TRPCClientError } from "@trpc/client";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { WebSocket as WsSocket } from "ws";
import { createConsoleClient, errorCode } from "../../src/sdk/index.ts";
import type { ConsoleClient, WebSocketClass } from "../../src/sdk/public-types.ts";
import { SignIn } from "../../src/shared/auth.ts";
import type { StreamEvent } from "../../src/shared/events.ts";
import { SecondFactorChallenge } from "../../src/shared/second-factor.ts";
import { makeToken } from "../harness/api-tokens.ts";
import { useApp } from "../harness/app.ts";
import { freePort } from "../harness/ports.ts";
import { assertOk } from "../harness/rest.ts";
import { PASSWORD } from "../harness/root-user.ts";
import { codeAt, insertSecondFactor, SECRET } from "../harness/second-factor.ts";
import { Stopwatch } from "../harness/stopwatch.ts";
import { within } from "../harness/time-limits.ts";
import { follow, sockets, WatchedSocket } from "./follow.ts";

const app = useApp();
/** The client reconnects after a second at first: a socket more would be open by then. */
const SETTLED = 1_250;
let client: ConsoleClient;

/**
 * The server's end of it is on the way when the client has said who it is, before the first call.
 */
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
  sockets.length = 0;
  client = createConsoleClient({ url: app.url, WebSocket: WatchedSocket });
});
afterEach(async () => {
  vi.unstubAllGlobals();
  await client.close();
});

async function until(
  { events }: ReturnType<typeof follow>,
  type: StreamEvent["type"],
  count = 1,
): Promise<void> {
  await vi.waitFor(
    () => expect(events.filter((event) => event.type === type)).toHaveLength(count),
    10_000,
  );
}

/** Signs in as the first super admin and follows the events. */
async function followAsRoot() {
  await client.login("root", PASSWORD);
  const following = follow(client);
  await until(following, "stream.ready");
  return following;
}

async function untilClosed(socket: WebSocket | undefined): Promise<void> {
  await vi.waitFor(() => expect(socket?.readyState).toBe(WebSocket.CLOSED), 10_000);
}

const me = () => client.api.auth.me.query();
/** An address that refuses connections. */
const nobodyThere = async () => `http://127.0.0.1:${await freePort()}`;
const changeSettings = (value: boolean) =>
  app.root.put("/api/system-config", { show_network_info_to_client: value });

describe("signing in", () => {
  it("is needed by calls and subscriptions, and without it no socket is opened", async () => {
    const { errors } = follow(client);

    const code = await me().catch(errorCode);

    expect(code).toBe("UNAUTHENTICATED");
    await vi.waitFor(() => expect(errors.map(errorCode)).toEqual(["UNAUTHENTICATED"]));
    expect(sockets).toHaveLength(0);
  });

  it("gives calls and subscriptions the session", async () => {
    const { token, user } = SignIn.parse(await client.login("root", PASSWORD));
    const following = follow(client);
    await until(following, "stream.ready");
    await changeSettings(true);
    await until(following, "settings.changed");

    expect([token.length > 20, user.role]).toEqual([true, "super_admin"]);
    expect(await me()).toMatchObject(user);
    expect(sockets).toHaveLength(1);
  });

  it("of an account with a second factor gives the session with the code", async () => {
    await insertSecondFactor(app.database, app.root.id);
    const answer = SecondFactorChallenge.parse(await client.login("root", PASSWORD));
    expect(await me().catch(errorCode)).toBe("UNAUTHENTICATED");

    const { challenge } = answer.secondFactor;
    const code = codeAt(SECRET, Math.floor(Date.now() / 1000));
    const { user } = await client.api.auth.secondFactor.mutate({ challenge, code });

    expect(await me()).toMatchObject(user);
  });

  it("that fails leaves the session as it was", async () => {
    const { user } = SignIn.parse(await client.login("root", PASSWORD));

    const code = await client.login("root", "Wrong1Password").catch(errorCode);

    expect(code).toBe("LOGIN_FAILED");
    expect(await me()).toMatchObject(user);
  });

  it("lasts until the call that signs out", async () => {
    await client.login("root", PASSWORD);

    await client.api.auth.logout.mutate();

    expect(await me().catch(errorCode)).toBe("UNAUTHENTICATED");
  });

  it("never sends a pending call with the token of the next user", async () => {
    await client.login("root", PASSWORD);
    const { fetch } = globalThis;
    const gate = Promise.withResolvers<void>();
    let requests = 0;
    vi.stubGlobal("fetch", async (url: string, init: RequestInit) => {
      if (url.includes("settings.update") && ++requests === 1) await gate.promise;
      return fetch(url, init);
    });
    const updating = client.api.settings.update
      .mutate({ show_network_info_to_client: true })
      .catch(errorCode);
    await vi.waitFor(() => expect(requests).toBe(1));
    await client.api.auth.logout.mutate();
    await client.login("root", PASSWORD);

    gate.resolve();

    expect([await updating, requests]).toEqual(["UNAUTHENTICATED", 1]);
  });

  it("lets lists and a sync be called without input", async () => {
    await client.login("root", PASSWORD);
    await app.config();
    const { hosts, users, renewals } = client.api;

    expect((await hosts.sync.mutate()).runs).toMatchObject([{ status: "succeeded" }]);
    for (const { list } of [hosts, users, renewals]) {
      expect((await list.query()).pagination).toMatchObject({ page: 1, limit: 20 });
    }
  });
});

describe("an API token", () => {
  it("makes calls and subscribes without signing in, and stays when a call is refused", async () => {
    const { token } = await makeToken(app.url, app.root, { scope: "read" });
    client = createConsoleClient({ url: app.url, token, WebSocket: WatchedSocket });
    const following = follow(client);
    await until(following, "stream.ready");

    const refused = [client.api.auth.logout, client.api.auth.refresh].map(({ mutate }) =>
      mutate().catch(errorCode),
    );

    expect(await Promise.all(refused)).toEqual(["TOKEN_SCOPE", "TOKEN_SCOPE"]);
    expect((await me()).username).toBe("root");
    await changeSettings(true);
    await until(following, "settings.changed");
    expect([following.errors, sockets.length]).toEqual([[], 1]);
  });

  it("that is revoked ends calls and subscriptions as UNAUTHENTICATED", async () => {
    const { id, token } = await makeToken(app.url, app.root);
    client = createConsoleClient({ url: app.url, token, WebSocket: WatchedSocket });
    const following = follow(client);
    await until(following, "stream.ready");

    await assertOk(app.root.delete(`/api/auth/tokens/${id}`));

    expect(await me().catch(errorCode)).toBe("UNAUTHENTICATED");
    await vi.waitFor(
      () => expect(following.errors.map(errorCode)).toEqual(["UNAUTHENTICATED"]),
      10_000,
    );
  });
});

describe("calls", () => {
  it("may take 30 s", async () => {
    using timeout = vi.spyOn(AbortSignal, "timeout");

    await me().catch(errorCode);

    expect(timeout.mock.calls).toEqual([[30_000]]);
  });

  it("that are made at once are sent in batches that the server takes", async () => {
    await client.login("root", PASSWORD);

    const answers = await Promise.all(Array.from({ length: 45 }, me));

    expect(answers.map(({ username }) => username)).toEqual(Array(45).fill("root"));
  });
});

describe("a subscription", () => {
  it.each([
    ["", WatchedSocket],
    [", also when the server is faster than the question", ClosingSocket],
  ])(
    "with an ended token ends as UNAUTHENTICATED after two connections%s",
    async (_when, WebSocket) => {
      const late = createConsoleClient({ url: app.url, token: "x".repeat(43), WebSocket });
      const { errors } = follow(late);
      await vi.waitFor(() => expect(errors.map(errorCode)).toEqual(["UNAUTHENTICATED"]), 10_000);

      await setTimeout(SETTLED);

      expect([sockets.length, errors.length]).toEqual([2, 1]);
    },
  );

  it("ends as UNAUTHENTICATED with its session, and stops reconnecting", async () => {
    const { username } = await app.account("client");
    const { user } = SignIn.parse(await client.login(username, PASSWORD));
    const first = follow(client);
    const second = follow(client);
    await until(first, "stream.ready");
    await until(second, "stream.ready");
    await app.root.post(`/api/users/${user.id}/reset-password`, {});
    const codes = () => [first, second].map(({ errors }) => errors.map(errorCode));
    await vi.waitFor(() => expect(codes().flat()).toHaveLength(2), 10_000);
    await setTimeout(SETTLED);
    expect([codes(), sockets.length]).toEqual([[["UNAUTHENTICATED"], ["UNAUTHENTICATED"]], 2]);
    await client.login("root", PASSWORD);
    await until(follow(client), "stream.ready");
    expect(sockets).toHaveLength(3);
  });

  it("goes on when the old token is refused before the answer of the refresh arrives", async () => {
    const following = await followAsRoot();
    const { fetch } = globalThis;
    vi.stubGlobal("fetch", async (url: string, init: RequestInit) => {
      const response = await fetch(url, init);
      await untilClosed(sockets[0]);
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
    const ready = following.events.filter(({ type }) => type === "stream.ready");
    expect(ready.map(({ data }) => data)).toEqual([{ resumed: false }, { resumed: true }]);
    expect([following.errors, sockets.length]).toEqual([[], 2]);
    following.unsubscribe();
    await untilClosed(sockets[1]);
    await until(follow(client), "stream.ready");
    expect(sockets).toHaveLength(3);
  });

  it("works with the package ws, and says what to do without any WebSocket", async () => {
    vi.stubGlobal("WebSocket", undefined);
    const without = createConsoleClient({ url: app.url, token: app.root.token });
    const { errors } = follow(without);
    expect(errors).toMatchObject([
      { message: expect.stringContaining("createConsoleClient({ url, WebSocket })") },
    ]);
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
    await untilClosed(sockets[0]);
    await changeSettings(true);
    await setTimeout(SETTLED);
    expect([
      following.completed(),
      following.errors,
      following.events.length,
      sockets.length,
    ]).toEqual([1, [], 1, 1]);
    expect((await me()).username).toBe("root");
    await until(follow(client), "stream.ready");
  });

  it("does not wait for a server that is not there", async () => {
    const lost = createConsoleClient({
      url: await nobodyThere(),
      token: "x",
      WebSocket: WatchedSocket,
    });
    const { errors } = follow(lost);
    await vi.waitFor(() => expect(sockets.length).toBeGreaterThan(1), 10_000);
    using stopwatch = new Stopwatch();
    await lost.close();
    expect(stopwatch.read()).toBeLessThan(within(1_000));
    const tried = sockets.length;
    await setTimeout(SETTLED);
    expect([sockets.length, errors]).toEqual([tried, []]);
  });
});

describe("errorCode", () => {
  it("names what was refused before any call of a batch was read", async () => {
    const { auth, settings } = client.api;
    const large = settings.update.mutate(Object({ name: "名".repeat(100_000) })).catch(errorCode);
    const small = auth.changePassword
      .mutate({ currentPassword: "", newPassword: "" })
      .catch(errorCode);
    expect([await large, await small]).toEqual(["PAYLOAD_TOO_LARGE", "PAYLOAD_TOO_LARGE"]);
    const foreign = { error: { code: -32001, message: "no", data: { code: "UNAUTHORIZED" } } };
    const absent = createConsoleClient({ url: await nobodyThere() });
    const lost: unknown = await absent.api.auth.me.query().catch((error: unknown) => error);
    for (const error of [
      undefined,
      { data: { code: "CONFLICT" } },
      TRPCClientError.from(foreign),
      lost,
    ]) {
      expect(errorCode(error)).toBeNull();
    }
  });

  it.each([
    ["a proxy's page while the server is away", 502, "UNAVAILABLE"],
    ["a page at a wrong base path", 404, "NOT_FOUND"],
    ["the start page of a single-page application", 200, "NOT_FOUND"],
  ])(
    "tells an answer of another program, whose address is named: %s",
    async (_answer, status, code) => {
      const headers = { "content-type": "text/html" };
      vi.stubGlobal("fetch", async () => new Response("<h1>hello</h1>", { status, headers }));
      const wrong = createConsoleClient({ url: "https://example.com/wrong" });
      const error: unknown = await wrong.api.auth.me.query().catch((error: unknown) => error);
      expect(errorCode(error)).toBe(code);
      const message = `No console server answered at https://example.com/wrong/trpc: HTTP ${status}, text/html`;
      expect(error).toMatchObject({ message, data: { httpStatus: status } });
    },
  );
});

it("the url must be http or https, and may have a path", async () => {
  for (const url of ["ftp://example.com", "ws://example.com", "example.com", ""]) {
    expect(() => createConsoleClient({ url })).toThrow(TypeError);
  }
  const requests: string[] = [];
  vi.stubGlobal("fetch", async (url: string) => {
    requests.push(url.replace(/\?.*/, ""));
    return Response.json({});
  });
  for (const path of ["/console", "/console/", "/console?tab=1#top", ""]) {
    const { api } = createConsoleClient({ url: `https://example.com${path}` });
    await api.auth.me.query().catch(errorCode);
  }
  const called = [...Array(3).fill("/console/trpc/auth.me"), "/trpc/auth.me"];

  expect(requests).toEqual(called.map((path) => `https://example.com${path}`));
});
