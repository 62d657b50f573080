import { expect, test, vi } from "vitest";
import { type ServerProgram, startServer } from "./harness/programs.ts";
import { signIn, TEST_LIMIT } from "./harness/stage.ts";
import { openTestStorage } from "./harness/storage.ts";

vi.setConfig({ testTimeout: TEST_LIMIT });

const ADMIN = { username: "root", password: "Correct1Horse" };
const SETTINGS = { ADMIN_USERNAME: ADMIN.username, ADMIN_PASSWORD: ADMIN.password, LOG_LEVEL: "warn" };

test("the server program starts and answers calls", async () => {
  await using storage = await openTestStorage();
  await using server = await startServer({ ...storage.env, ...SETTINGS });
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  expect(await (await fetch(`${server.url}/readyz`)).json()).toEqual({ status: "ready" });
  const root = await signIn(server.url, ADMIN);
  expect((await root.get("/api/users")).data.pagination.total).toBe(1);
});

test("the server program stops on SIGTERM with exit code 0, logs no error, and keeps its data", async () => {
  await using storage = await openTestStorage();
  const settings = { ...storage.env, ...SETTINGS };
  {
    await using server = await startServer(settings);
    await showNetworkInfo(server);
    expect(await server.kill("SIGTERM")).toEqual({ code: 0, signal: null });
    expect(server.output.filter((line) => /"level":[56]0/.test(line))).toEqual([]);
  }
  await using next = await startServer(settings);
  const root = await signIn(next.url, ADMIN);
  expect((await root.get("/api/system-config")).body).toMatchObject({ show_network_info_to_client: true });
});

async function showNetworkInfo({ url }: ServerProgram): Promise<void> {
  const root = await signIn(url, ADMIN);
  expect((await root.put("/api/system-config", { show_network_info_to_client: true })).status).toBe(200);
}
