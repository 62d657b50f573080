import { describe, expect, test } from "vitest";
import { syncBench } from "./sync-bench.ts";

/** The page that completes the place is the one that makes enough for a write, in a small place and in a larger one. */
describe.each([200, 300, 500])("a place of %i hosts", (hosts) => {
  const bench = syncBench({ hosts, projects: 1, regions: ["cn-bj2"] });

  test("is confirmed by every complete reading", async () => {
    const configId = await bench.config();
    for (let round = 0; round < 3; round++) {
      const at = bench.clock.now();
      expect(await bench.sync(configId)).toMatchObject({ status: "succeeded", hostsSeen: hosts });
      const [place] = await bench.database.query("select read_at::int, empty_since from sync_partitions");
      expect(place).toEqual({ read_at: expect.any(Number), empty_since: null });
      expect(place?.read_at).toBeGreaterThanOrEqual(at);
      bench.clock.forward(60);
    }
  });
});
