import { describe, expect, it } from "vitest";
import { useApp } from "../harness/app.ts";
import { DAY, insertHost, now } from "../harness/data.ts";
import { atOnce, CALLERS, eachRound, RACE_LIMIT } from "../harness/rounds.ts";

const app = useApp();

describe("twenty concurrent callers", () => {
  it(
    "assign the same pair successfully and leave one assignment with one caller's values",
    async () => {
      const client = await app.account("client");
      await eachRound(async () => {
        const hostId = await insertHost(app);
        const pair = { hostId, userId: client.id, assignedAt: now() };
        const answers = await atOnce((index) =>
          app.root.post("/api/hosts/assign", { ...pair, assignedExpireTime: pair.assignedAt + (index + 1) * DAY }),
        );
        expect(answers.map(({ status }) => status)).toEqual(Array(CALLERS).fill(200));
        for (const { data } of answers) expect(data.users).toHaveLength(1);
        const rows = await app.database.query("select assigned_expire_time from assignments where host_id = $1", [
          hostId,
        ]);
        expect(rows).toHaveLength(1);
        const requested = answers.map((_, index) => pair.assignedAt + (index + 1) * DAY);
        expect(requested).toContain(Number(rows[0]?.assigned_expire_time));
        const events = await app.database.query("select type from events where payload->>'hostId' = $1", [hostId]);
        expect(events).toHaveLength(CALLERS);
      });
    },
    RACE_LIMIT,
  );

  it(
    "end the same assignment once, and the others get 404",
    async () => {
      const client = await app.account("client");
      await eachRound(async () => {
        const pair = { hostId: await insertHost(app), userId: client.id };
        await app.root.post("/api/hosts/assign", { ...pair, assignedExpireTime: now() + 30 * DAY });
        const answers = await atOnce(() => app.root.post("/api/hosts/unassign", pair));
        expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(CALLERS - 1).fill(404)]);
        const events = await app.database.query("select type from events where payload->>'hostId' = $1", [pair.hostId]);
        expect(events).toHaveLength(2);
      });
    },
    RACE_LIMIT,
  );

  it(
    "switch the default between two configurations with exactly one default at every read and at the end",
    async () => {
      const configs = [await app.config(), await app.config()];
      const list = async () => (await app.root.get("/api/hosts/configs/list")).data;
      const defaults = async () => (await list()).filter(({ isDefault }: { isDefault: boolean }) => isDefault);
      await eachRound(async () => {
        const reads: unknown[][] = [];
        const answers = await atOnce(async (index) => {
          const path = `/api/hosts/configs/${configs[index % 2]}`;
          const answer = await app.root.put(path, { isDefault: true });
          reads.push(await defaults());
          return answer;
        });
        expect(answers.map(({ status, data }) => [status, data.isDefault])).toEqual(Array(CALLERS).fill([200, true]));
        for (const read of [...reads, await defaults()]) expect(read).toHaveLength(1);
      });
    },
    RACE_LIMIT,
  );
});
