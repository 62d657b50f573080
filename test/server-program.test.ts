import { expect, test, vi } from "vitest";
import { startServer } from "./harness/programs.ts";
import { ROOT_ENV } from "./harness/root-user.ts";
import { signIn } from "./harness/server-fixture.ts";
import { openTestStorage } from "./harness/storage.ts";
import { within } from "./harness/time-limits.ts";

vi.setConfig({ testTimeout: within(60_000) });

test("the server program answers calls, stops on SIGTERM, and keeps its data", async () => {
  await using storage = await openTestStorage();
  const settings = { ...storage.env, ...ROOT_ENV, LOG_LEVEL: "warn" };
  const shown = { show_network_info_to_client: true };
  {
    await using server = await startServer(settings);
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    const root = await signIn(server.url);
    expect((await root.put("/api/system-config", shown)).status).toBe(200);
    expect(await server.kill("SIGTERM")).toEqual({ code: 0, signal: null });
    expect(server.output.filter((line) => /"level":[56]0/.test(line))).toEqual([]);
  }
  await using next = await startServer(settings);

  const root = await signIn(next.url);

  expect((await root.get("/api/system-config")).body).toEqual(shown);
  expect((await root.get("/api/users")).data.pagination.total).toBe(1);
});
