import { expect } from "vitest";
import { viewerOf } from "../../src/server/modules/hosts/access.ts";
import { filterHosts } from "../../src/server/modules/hosts/filters.ts";
import { systemClock } from "../../src/server/platform/clock.ts";
import { kyselyOf } from "../../src/server/platform/database/kysely.ts";
import { useApp } from "../harness/app.ts";
import { insertHosts } from "../harness/data.ts";
import { itOnPostgresql } from "../harness/hold-lock.ts";

const app = useApp();

itOnPostgresql("a search for four letters among thousands of hosts reads its index", async () => {
  const names = Array.from({ length: 3_000 }, (_, n) => ({ name: `web-prod-${n}` }));
  await insertHosts(app, [...names, { name: "kuny-1" }]);
  await app.database.query("vacuum analyze hosts");
  const em = app.orm.em.fork();
  const viewer = viewerOf({ clock: systemClock }, { id: app.root.id, role: "super_admin" });

  const found = filterHosts(kyselyOf(em), viewer, { search: "kuny" }).select("h.id");
  const plan = await found.explain();

  expect(JSON.stringify(plan)).toContain("Bitmap Index Scan on hosts_search");
});
