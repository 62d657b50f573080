import { beforeEach, describe, expect, it } from "vitest";
import { useApp, useTeam } from "../harness/app.ts";
import { fixedClock } from "../harness/clocks.ts";
import { assign, type HostColumns, insertHost, now } from "../harness/data.ts";
import type { RestClient } from "../harness/rest.ts";

const HOUR = 3_600;

/** At the present: the database's defaults for times use its own clock. */
const clock = fixedClock(now());
const app = useApp({ overrides: { clock } });
beforeEach(clock.rewind);
const team = useTeam(app);

/** A host of the configuration that was read so many seconds ago. */
async function hostReadBefore(seconds: number, configId: string, more: HostColumns = {}) {
  const changed_at = clock.now() - seconds;
  return await insertHost(app, { config_id: configId, changed_at, ...more });
}

async function isStale(hostId: string, account: RestClient = app.root): Promise<unknown> {
  return (await account.get(`/api/hosts/${hostId}`)).data.isStale;
}

describe("the data of a host may be out of date", () => {
  it.each([
    ["three intervals", { syncIntervalMinutes: 60 }, 3 * HOUR],
    ["24 hours without a schedule", { syncIntervalMinutes: null }, 24 * HOUR],
    [
      "24 hours when its configuration is off",
      { syncIntervalMinutes: 60, isActive: false },
      86_400,
    ],
  ])("after %s", async (_limit, config, seconds) => {
    const configId = await app.config(config);
    const inTime = await hostReadBefore(seconds, configId);
    const late = await hostReadBefore(seconds + 1, configId);

    expect([await isStale(inTime), await isStale(late)]).toEqual([false, true]);
  });

  it("for everybody who sees it, in lists, too", async () => {
    const hostId = await hostReadBefore(25 * HOUR, await app.config());
    await assign(app, hostId, team.client.id);

    for (const account of [app.root, team.admin, team.client]) {
      expect(await isStale(hostId, account)).toBe(true);
      const { data } = await account.get("/api/hosts");
      expect(data.hosts).toMatchObject([{ id: hostId, isStale: true }]);
    }
  });

  it("unless its partition was read completely since", async () => {
    const configId = await app.config();
    const hostId = await hostReadBefore(25 * HOUR, configId);
    await app.database.query(
      `insert into sync_partitions (config_id, project_id, region, read_at)
       select config_id, project_id, region, $1 from hosts`,
      [clock.now() - HOUR],
    );

    expect(await isStale(hostId)).toBe(false);
  });

  it("not when it is gone: nothing new is expected of it", async () => {
    const gone_at = clock.now() - 24 * HOUR;
    const hostId = await hostReadBefore(25 * HOUR, await app.config(), { gone_at });

    expect(await isStale(hostId)).toBe(false);
  });

  it("when a wrong clock has dated it in the future", async () => {
    const hostId = await hostReadBefore(-61, await app.config());

    expect(await isStale(hostId)).toBe(true);
  });
});
