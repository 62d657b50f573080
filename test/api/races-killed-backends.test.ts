import { describe, expect, it } from "vitest";
import { useApp } from "../harness/app.ts";
import { connectBeside } from "../harness/database.ts";

const app = useApp();
const POOL_SIZE = 10;

/** Waits for the locked settings row in a transaction. */
function change() {
  return app.root.put("/api/system-config", { show_network_info_to_client: true });
}

function waitingBackends() {
  return app.database.query(
    "select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  );
}

describe.skipIf(process.env.TEST_DATABASE_URL === undefined)("backends killed inside transactions", () => {
  it("more killed backends than the pool has connections leave the pool complete", async () => {
    await using holder = await connectBeside(app.database);
    await holder.query("begin");
    await holder.query("select from settings for update");
    for (let round = 0; round < 3; round++) {
      const calls = Array.from({ length: 4 }, change);
      await expect.poll(waitingBackends).toHaveLength(4);
      for (const { pid } of await waitingBackends()) await app.database.query("select pg_terminate_backend($1)", [pid]);
      for (const { status } of await Promise.all(calls)) expect(status).toBe(503);
    }
    const calls = Array.from({ length: POOL_SIZE }, change);
    await expect.poll(waitingBackends).toHaveLength(POOL_SIZE);
    await holder.query("commit");
    for (const { status } of await Promise.all(calls)) expect(status).toBe(200);
  });
});
