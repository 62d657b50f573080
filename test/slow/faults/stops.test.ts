import { describe, expect, test } from "vitest";
import { startServerProcess } from "../../harness/programs.ts";
import { configure, hostTotal, openStage, runOf, signIn, syncHalfWay, within } from "../../harness/stage.ts";
import { follow } from "../../sockets/raw-client.ts";
import { printOutcome, slowest } from "./outcomes.ts";
import { DATABASES, ROUNDS_LIMIT, rounds } from "./rounds.ts";

/** From the contract, in ms. */
const STOP_LIMIT = 10_000;

describe.each(DATABASES)("a server on $name", ({ name, server }) => {
  test(
    "that is asked to stop with work in flight ends with exit code 0 within 10 s, and its successor has everything",
    async () => {
      await using stage = await openStage({ server });
      const total = rounds(20, 2);
      const times: number[] = [];
      for (let round = 0; round < total; round++) {
        const program = await stage.start();
        const root = await signIn(program.url);
        if (round === 0) await configure(root, stage.provider);
        else expect(await hostTotal(root, "&gone=true")).toBe(0);
        const runId = await syncHalfWay(root, stage.provider);
        let began = performance.now();
        const waiting = root.post("/api/hosts/sync?wait=25").catch((error: Error) => {
          const ms = Math.round(performance.now() - began);
          return Promise.reject(
            new Error(`the waiting call was cut ${ms} ms after the signal`, { cause: error.cause }),
          );
        });
        waiting.catch(() => undefined);
        // Once a later call has found the run, that one has found it too and waits for its end.
        expect((await root.post("/api/hosts/sync?wait=0")).data.runs).toMatchObject([{ id: runId }]);
        await using socket = await follow(`${program.url.replace("http", "ws")}/trpc`, root.token ?? "");
        const calls = Array.from({ length: 20 }, () => root.get("/api/hosts?limit=100").catch(() => null));
        began = performance.now();
        expect(await program.kill("SIGTERM")).toEqual({ code: 0, signal: null });
        times.push(performance.now() - began);
        expect(times.at(-1)).toBeLessThan(within(STOP_LIMIT));
        expect((await waiting).data.runs).toMatchObject([{ id: runId, status: "interrupted" }]);
        for (const answer of await Promise.all(calls)) expect([200, undefined]).toContain(answer?.status);
        expect((await socket.closed).code).toBe(1012);
        expect(program.output.filter((line) => /"level":[56]0/.test(line))).toEqual([]);
        await stage.provider.control("release");
      }
      const last = await stage.start();
      const root = await signIn(last.url);
      const { data } = await root.get(`/api/hosts/sync-runs?limit=100`);
      expect(data.runs).toHaveLength(total);
      for (const { id } of data.runs) expect(await runOf(root, id)).toMatchObject({ status: "interrupted", gone: 0 });
      printOutcome({
        scenario: "SIGTERM with a sync, calls and sockets in flight",
        database: name,
        rounds: total,
        outcome: `exit code 0 after ${slowest(times)} at most; every call answered, every run interrupted`,
      });
    },
    ROUNDS_LIMIT,
  );

  test.skipIf(server !== null)(
    "refuses a second process on its data directory, every time, and goes on",
    async () => {
      await using stage = await openStage({ server, hosts: 0 });
      const owner = await stage.start();
      const root = await signIn(owner.url);
      const total = rounds(20, 2);
      const times: number[] = [];
      for (let round = 0; round < total; round++) {
        const began = performance.now();
        await using second = startServerProcess(stage.settings);
        expect(await second.exited).toEqual({ code: 1, signal: null });
        times.push(performance.now() - began);
        expect(second.output).toEqual([expect.stringContaining(`PID ${owner.pid}`)]);
        expect((await root.get("/api/users")).status).toBe(200);
      }
      printOutcome({
        scenario: "a second process on one data directory",
        database: name,
        rounds: total,
        outcome: `refused with exit code 1 after ${slowest(times)} at most, the owner goes on`,
      });
    },
    ROUNDS_LIMIT,
  );
});
