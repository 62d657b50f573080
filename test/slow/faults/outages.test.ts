import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { RestAnswer, RestClient } from "../../harness/rest.ts";
import {
  configure,
  eventually,
  hostTotal,
  openStage,
  providerTotal,
  signIn,
  syncAll,
  within,
} from "../../harness/stage.ts";
import { proxyUrl, type TcpProxy } from "../../harness/tcp-proxy.ts";
import { printOutcome, slowest } from "./outcomes.ts";
import { IS_SHORT, POSTGRESQL, ROUNDS_LIMIT, rounds } from "./rounds.ts";

/** In ms. */
const RECOVERY_LIMIT = 10_000;
const OUTAGES = IS_SHORT ? [1_000] : [1_000, 4_000, 10_000, 30_000];

const MANNERS: Readonly<Record<string, (proxy: TcpProxy) => unknown>> = {
  refuses: (proxy) => proxy.refuse(),
  stalls: (proxy) => proxy.stall(),
  cuts: (proxy) => proxy.cut(),
  drops: (proxy) => proxy.drop(),
  delays: (proxy) => proxy.delay(400),
};

const CALLS: readonly ((root: RestClient) => Promise<RestAnswer>)[] = [
  (root) => root.get("/api/auth/me"),
  (root) => root.get("/api/hosts"),
  (root) => root.get("/api/users"),
  (root) => root.put("/api/system-config", { show_network_info_to_client: true }),
  (root) => root.get("/trpc/hosts.list?input=%7B%7D"),
];

describe.each(POSTGRESQL)("a server whose way to $name fails", ({ name, server }) => {
  test(
    "answers 200 or 503 and nothing else, and is well again within 10 s",
    async () => {
      await using stage = await openStage({ server, hosts: 300 });
      await using proxy = await proxyUrl(stage.place.env.DATABASE_URL ?? "");
      const program = await stage.start({ DATABASE_URL: proxy.url });
      const root = await signIn(program.url);
      await configure(root, stage.provider);
      await syncAll(root);
      const total = rounds(20, 5);
      const answers = new Map<number, number>();
      const recoveries: number[] = [];
      const manners = Object.values(MANNERS);
      for (let round = 0; round < total; round++) {
        await root.post("/api/hosts/sync?wait=0");
        await manners[round % manners.length]?.(proxy);
        const calls: Promise<RestAnswer>[] = [];
        const until = performance.now() + (OUTAGES[Math.floor(round / manners.length) % OUTAGES.length] ?? 0);
        while (performance.now() < until) {
          calls.push(...CALLS.map((call) => call(root)));
          expect((await fetch(`${program.url}/healthz`)).status).toBe(200);
          await sleep(250);
        }
        await proxy.mend();
        const began = performance.now();
        await eventually(async () => {
          expect((await fetch(`${program.url}/readyz`)).status).toBe(200);
          for (const call of CALLS) expect((await call(root)).status).toBe(200);
        }, RECOVERY_LIMIT);
        recoveries.push(performance.now() - began);
        expect(recoveries.at(-1)).toBeLessThan(within(RECOVERY_LIMIT));
        for (const { status, body } of await Promise.all(calls)) {
          expect([200, 503], JSON.stringify(body)).toContain(status);
          answers.set(status, (answers.get(status) ?? 0) + 1);
        }
        await eventually(async () => {
          const { data } = await root.get("/api/hosts/sync-runs?limit=5");
          expect(JSON.stringify(data.runs)).not.toMatch(/"status":"(running|queued)"/);
        }, 60_000);
        expect(await syncAll(root)).toMatchObject({ status: "succeeded", gone: 0 });
        expect(await hostTotal(root)).toBe(await providerTotal(stage.provider));
      }
      expect(program.output.filter((line) => /uncaught exception|unhandled (rejection|error)/.test(line))).toEqual([]);
      printOutcome({
        scenario: `database away (${Object.keys(MANNERS).join(", ")}; ${OUTAGES.map((ms) => ms / 1000).join(", ")} s)`,
        database: name,
        rounds: total,
        outcome: `${answers.get(200) ?? 0} answers 200, ${answers.get(503) ?? 0} answers 503, 0 others; well again in ${slowest(recoveries)} at most; 0 hosts gone`,
      });
    },
    ROUNDS_LIMIT,
  );
});
