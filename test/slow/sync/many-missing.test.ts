import { expect, it } from "vitest";
import { insertHosts } from "../../harness/data.ts";
import { useSync } from "../../sync/sync-fixture.ts";

// What a run decides about is written some at a time: the numbers here are one beyond that.

/** Hosts that are marked gone with a statement. */
const GONE = 1_000;
/** Hosts that are held with a statement. */
const HELD = 5_000;
/** More than thirty of a hundred may not go at once. */
const LISTED = 3_000;

const { app, sync } = useSync({ hosts: LISTED, regions: ["hk"] });

/** A configuration with hosts that the provider does not know, beside those that it lists. */
async function configMissing(count: number): Promise<string> {
  const configId = await app.config();
  await sync(configId);
  const [known] = await app.database.query("select project_id from hosts limit 1");
  const place = { config_id: configId, project_id: known?.project_id, region: "hk" };
  await insertHosts(app, Array(count).fill(place));
  // All of them were there a day ago, so all count.
  await app.database.query("update hosts set present_since = 1");
  return configId;
}

async function count(condition: string): Promise<number> {
  const [row] = await app.database.query(
    `select count(*)::int as hosts from hosts where ${condition}`,
  );
  return Number(row?.hosts);
}

it("a run marks more hosts gone than fit in one statement", async () => {
  const configId = await configMissing(GONE + 1);

  const run = await sync(configId);

  expect(run).toMatchObject({ status: "succeeded", gone: GONE + 1 });
  expect(await count("gone_at is not null")).toBe(GONE + 1);
});

it("a run holds more hosts than fit in one statement", async () => {
  const configId = await configMissing(HELD + 1);

  const run = await sync(configId);

  expect(run).toMatchObject({ status: "partial", gone: 0 });
  expect(await count("missing_since is not null")).toBe(HELD + 1);
});
