import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createConsoleClient, errorCode } from "../../src/sdk/index.ts";
import type { ConsoleClient } from "../../src/sdk/public-types.ts";
import { PASSWORD, useApp } from "../harness/app.ts";

const app = useApp();
let client: ConsoleClient;

beforeEach(async () => {
  client = createConsoleClient({ url: app.url });
  await client.login("root", PASSWORD);
});
afterEach(() => vi.unstubAllGlobals());

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
