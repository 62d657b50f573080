import { describe, expect, it } from "vitest";
import type { Host } from "../../src/shared/hosts.ts";
import { assertOk, type RestClient } from "../harness/rest.ts";
import { useSync } from "./sync-fixture.ts";

const HOUR = 3_600;

const { app, clock, sync } = useSync({ hosts: 1, regions: ["hk"] });

async function onlyHost(reader: RestClient = app.root): Promise<Host> {
  const { data } = await assertOk(reader.get("/api/hosts"));
  expect(data.hosts).toHaveLength(1);
  return data.hosts[0];
}

/** A synced host that is running, an hour ago by now. */
async function runningHost() {
  app.simulator.control.updateHosts({}, { State: "Running" });
  const configId = await app.config();
  await sync(configId);
  const host = await onlyHost();
  clock.forward(HOUR);
  return { configId, host };
}

describe("the time since when a host has its status", () => {
  it("is that of the first sync that found the host", async () => {
    const before = clock.now();

    const { host } = await runningHost();

    expect(host.statusSince).toBe(host.syncedAt);
    expect(host.statusSince).toBeGreaterThanOrEqual(before);
    expect(await onlyHost()).toEqual(host);
  });

  it("stays while other fields change and nothing does", async () => {
    const { configId, host } = await runningHost();
    app.simulator.control.updateHosts({}, { Name: "改名" });

    await sync(configId);
    clock.forward(HOUR);
    await sync(configId);

    expect(await onlyHost()).toMatchObject({ name: "改名", statusSince: host.statusSince });
  });

  it.each(["a run", "a refresh"])("moves with the status that %s finds", async (how) => {
    const { configId, host } = await runningHost();
    app.simulator.control.updateHosts({}, { State: "Stopped" });
    const asked = clock.now();

    if (how === "a run") await sync(configId);
    else await assertOk(app.root.post(`/api/hosts/${host.id}/sync`));

    const { status, statusSince, syncedAt } = await onlyHost();
    expect({ status, statusSince }).toEqual({ status: "Stopped", statusSince: syncedAt });
    expect(statusSince).toBeGreaterThanOrEqual(asked);
  });

  it("is not told to a client of the time before its assignment", async () => {
    const { configId, host } = await runningHost();
    const admin = await app.account("admin");
    const client = await app.account("client", { adminId: admin.id });
    const period = { assignedAt: clock.now() - 2 * HOUR, days: 30 };
    await assertOk(
      app.root.post("/api/hosts/assign", { hostId: host.id, userId: client.id, ...period }),
    );

    expect((await onlyHost(client)).statusSince).toBeNull();
    expect((await onlyHost(admin)).statusSince).toBe(host.statusSince);

    clock.forward(HOUR);
    app.simulator.control.updateHosts({}, { State: "Stopped" });
    await sync(configId);
    const { statusSince } = await onlyHost();
    expect(await onlyHost(client)).toMatchObject({ status: "Stopped", statusSince });
  });

  it("is unknown when a clock that was ahead has written it", async () => {
    clock.forward(24 * HOUR);
    await sync(await app.config());
    clock.rewind();

    expect((await onlyHost()).statusSince).toBeNull();
  });
});
