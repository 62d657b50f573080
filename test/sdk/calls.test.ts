import { TRPCClientError } from "@trpc/client";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createConsoleClient, errorCode } from "../../src/sdk/index.ts";
import type { ConsoleClient } from "../../src/sdk/public-types.ts";
import { PASSWORD, useApp } from "../harness/app.ts";
import { freePort } from "../harness/postgresql.ts";

const app = useApp();
let client: ConsoleClient;

beforeEach(async () => {
  client = createConsoleClient({ url: app.url });
  await client.login("root", PASSWORD);
});
afterEach(() => vi.unstubAllGlobals());

describe("errorCode", () => {
  it("names what was refused before any call of a batch was read", async () => {
    const calls = [
      client.api.settings.update.mutate(Object({ name: "名".repeat(100_000) })),
      client.api.auth.changePassword.mutate({ currentPassword: PASSWORD, newPassword: PASSWORD }),
    ];
    const codes = await Promise.all(calls.map((call) => call.catch(errorCode)));
    expect(codes).toEqual(["PAYLOAD_TOO_LARGE", "PAYLOAD_TOO_LARGE"]);
  });

  it("is null for everything else", async () => {
    const foreign = { error: { code: -32001, message: "no", data: { code: "UNAUTHORIZED" } } };
    const absent = createConsoleClient({ url: `http://127.0.0.1:${await freePort()}` });
    const lost: unknown = await absent.api.auth.me.query().catch((error: unknown) => error);
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
    const error: unknown = await createConsoleClient({ url: "https://example.com/wrong" })
      .api.auth.me.query()
      .catch((error: unknown) => error);
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
      await createConsoleClient({ url }).api.auth.me.query().catch(errorCode);
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
