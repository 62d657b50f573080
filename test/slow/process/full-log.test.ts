import { expect, test, vi } from "vitest";
import { SERVER, startProgram } from "../../harness/programs.ts";
import { restClient } from "../../harness/rest.ts";
import { eventually, ROOT_USER, TEST_LIMIT, takePort, within } from "../../harness/stage.ts";
import { openTestStorage } from "../../harness/storage.ts";

vi.setConfig({ testTimeout: TEST_LIMIT });

const STOP_LIMIT = 10_000;

test("a full disk under the log loses lines only: calls are answered and SIGTERM exits 0", async () => {
  await using storage = await openTestStorage();
  const port = await freed();
  await using server = startProgram({
    file: "sh",
    args: ["-c", 'exec "$@" > /dev/full', "sh", process.execPath, SERVER],
    env: {
      ...storage.env,
      PORT: port,
      ADMIN_USERNAME: ROOT_USER.username,
      ADMIN_PASSWORD: ROOT_USER.password,
    },
  });
  const client = restClient(`http://127.0.0.1:${port}`);
  await eventually(async () => expect((await client.get("/readyz")).status).toBe(200), 30_000);
  for (let n = 0; n < 3; n++) expect((await client.get("/api/users")).status).toBe(401);
  expect((await client.post("/api/auth/login", ROOT_USER)).status).toBe(200);
  const began = performance.now();
  expect(await server.kill("SIGTERM")).toEqual({ code: 0, signal: null });
  expect(performance.now() - began).toBeLessThan(within(STOP_LIMIT));
  expect(server.stderr).toEqual([]);
});

/** The server cannot report the port it chose. */
async function freed(): Promise<string> {
  using taken = await takePort();
  return taken.port;
}
