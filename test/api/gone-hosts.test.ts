import { beforeEach, describe, expect, it } from "vitest";
import { viewerOf } from "../../src/server/modules/hosts/access.ts";
import { filterHosts } from "../../src/server/modules/hosts/filters.ts";
import { countGone, countGroups } from "../../src/server/modules/hosts/summary.ts";
import { countHosts } from "../../src/server/modules/sync/removal-window.ts";
import { systemClock } from "../../src/server/platform/clock.ts";
import { kyselyOf } from "../../src/server/platform/database/kysely.ts";
import { useApp } from "../harness/app.ts";
import { insertHost, insertHosts } from "../harness/data.ts";

const app = useApp();
let configId: string;

/** An account that has been kept for years: of a hundred hosts one is present. */
beforeEach(async () => {
  configId = await app.config();
  await insertHosts(app, Array(20).fill({ config_id: configId }));
  await insertHost(app, { config_id: configId, gone_at: 1_780_000_000, ucloud_id: "uhost-gone" });
  await app.database.query(
    `insert into hosts
       (id, ucloud_id, config_id, project_id, region, zone, name, cpu, memory, disk, os_name, os_type,
        status, provider_status, charge_type, ip_set, changed_at, gone_at)
     select gen_random_uuid(), ucloud_id || n, config_id, project_id, region, zone, name, cpu, memory,
       disk, os_name, os_type, status, provider_status, charge_type, ip_set, changed_at, gone_at
     from hosts, generate_series(1, 1999) n
     where ucloud_id = 'uhost-gone'`,
  );
  await app.database.query("vacuum analyze hosts");
});

describe("hosts that vanished in earlier years", () => {
  it("are counted apart from those that are present", async () => {
    const { data } = await app.root.get("/api/hosts/summary");

    expect(data).toMatchObject({ total: 20, gone: 2_000, byStatus: { Running: 20 } });
  });

  it("are not read by what reads the present ones", async () => {
    const em = app.orm.em.fork();
    const viewer = viewerOf({ clock: systemClock }, { id: app.root.id, role: "super_admin" });
    const hosts = (search?: string) => filterHosts(kyselyOf(em), viewer, { search }).select("h.id");
    const plans = {
      summary: await countGroups(em, viewer).explain(),
      gone: await countGone(em).explain(),
      list: await hosts().explain(),
      search: await hosts("web").explain(),
      removalWindow: await countHosts(em, configId, viewer.now).explain(),
    };

    const reading = Object.entries(plans).filter(([, plan]) =>
      JSON.stringify(plan).includes("Seq Scan on hosts"),
    );
    expect(reading).toEqual([]);
  });
});
