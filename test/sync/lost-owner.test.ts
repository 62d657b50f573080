import { v7 } from "uuid";
import { expect, it } from "vitest";
import { syncRunJob } from "../../src/server/sync/sync-job.ts";
import { syncBench } from "./sync-bench.ts";

const bench = syncBench();

it("the job of a sync run ends a run that its lost owner left running when it is delivered again", async () => {
  const [configId, runId] = [await bench.config(), v7()];
  await bench.database.query(
    `insert into sync_runs (id, config_id, config_name, trigger, status, started_at)
     values ($1, $2, '主账号', 'manual', 'running', extract(epoch from now())::bigint)`,
    [runId, configId],
  );
  const { deps } = bench.process;
  const job = syncRunJob({ ...deps, em: deps.em.fork() });
  await job.handle({ runId }, { isRedelivery: true, signal: new AbortController().signal });
  expect((await bench.run(runId)).status).toBe("interrupted");
});
