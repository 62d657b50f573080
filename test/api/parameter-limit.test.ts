import { v7 } from "uuid";
import { expect, it } from "vitest";
import { findLiveSessions } from "../../src/server/modules/auth/find-caller.ts";
import { waitForRuns } from "../../src/server/modules/sync/queries.ts";
import { systemClock } from "../../src/server/platform/clock.ts";
import { useApp } from "../harness/app.ts";
import { insertRun } from "../harness/data.ts";

/** A statement may have 65,535 parameters. */
const MORE_THAN_PARAMETERS = 70_000;

const app = useApp();

it("finds live sessions by more ids than a statement may have parameters", async () => {
  const ids = Array.from({ length: MORE_THAN_PARAMETERS }, () => v7());
  const [session] = await app.database.query("select id from sessions");
  const own = String(session?.id);
  const deps = {
    em: app.orm.em.fork(),
    clock: systemClock,
    sessionLimits: { ttl: 3_600, idle: 3_600 },
  };

  const callers = await findLiveSessions(deps, [...ids, own]);

  expect([...callers.keys()]).toEqual([own]);
});

it("finds runs by more ids than a statement may have parameters", async () => {
  const ids = Array.from({ length: MORE_THAN_PARAMETERS }, () => v7());
  const run = await insertRun(app, v7());
  const deps = { em: app.orm.em.fork(), stopping: new AbortController().signal };

  const runs = await waitForRuns(deps, [...ids, run], { seconds: 0 });

  expect(runs.map(({ id }) => id)).toEqual([run]);
});
