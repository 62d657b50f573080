import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { MAIN_KEYS } from "../../../src/simulator/options.ts";
import { HAS_CADDY, startCaddy } from "../../harness/caddy.ts";
import { freePort } from "../../harness/postgresql.ts";
import { type RestClient, restClient } from "../../harness/rest.ts";
import { openStage, type Stage, signIn } from "../../harness/stage.ts";
import { printOutcome, slowest } from "./outcomes.ts";
import { ON_SERVER, ROUNDS_LIMIT, rounds } from "./rounds.ts";

const READERS = 4;
const WRITERS = 4;
/** Pause between two calls of one caller. Milliseconds. */
const PAUSE_MS = 10;
/** Until the proxy uses a restarted replica again. Milliseconds. */
const HEALTH_CHECK_MS = 1_500;

/** Calls through the proxy until it is stopped. */
interface Load extends AsyncDisposable {
  readonly reads: () => number;
  /** Names of the acknowledged configurations. */
  readonly written: readonly string[];
  /** Anything but an answer as the API document has it. */
  readonly failures: readonly string[];
  stop(): Promise<void>;
}

describe.skipIf(!HAS_CADDY).each(ON_SERVER)(
  "two replicas behind the shipped Caddyfile, on $name",
  ({ name, server }) => {
    test(
      "restart one after the other without losing a call or giving a malformed answer",
      async () => {
        await using stage = await openStage({ server, hosts: 0 });
        const ports = [await freePort(), await freePort()];
        const replicas = [await startReplica(stage, ports[0]), await startReplica(stage, ports[1])];
        await using proxy = await startCaddy(ports);
        const root = await signIn(proxy.url);
        await using load = startLoad(root, proxy.url, stage.provider.url);
        const total = rounds(20, 3);
        const times: number[] = [];
        for (let round = 0; round < total; round++) {
          await sleep(HEALTH_CHECK_MS);
          const index = round % 2;
          const began = performance.now();
          expect(await replicas[index]?.kill("SIGTERM")).toEqual({ code: 0, signal: null });
          times.push(performance.now() - began);
          expect(load.failures).toEqual([]);
          replicas[index] = await startReplica(stage, ports[index]);
        }
        await sleep(HEALTH_CHECK_MS);
        await load.stop();
        expect(load.failures).toEqual([]);
        const { data } = await root.get("/api/hosts/configs/list");
        const stored = data.map((config: { name: string }) => config.name);
        expect(stored.sort()).toEqual([...load.written].sort());
        expect(load.reads()).toBeGreaterThan(total * 100);
        printOutcome({
          scenario: "restart of one of two replicas behind the shipped proxy, under reads and writes",
          database: name,
          rounds: total,
          outcome: `${load.reads()} reads and ${load.written.length} writes answered, none lost or doubled; stopped in ${slowest(times)} at most`,
        });
      },
      ROUNDS_LIMIT,
    );
  },
);

async function startReplica(stage: Stage, port: number | undefined) {
  return await stage.start({ PORT: String(port), TRUST_PROXY: "1", MAX_CONNECTIONS_PER_ADDRESS: "1000" });
}

function startLoad(root: RestClient, url: string, apiUrl: string): Load {
  const written: string[] = [];
  const failures: string[] = [];
  let reads = 0;
  let isStopped = false;

  /** Each caller has its own connections, so that one that breaks concerns one call. */
  async function repeat(call: (client: RestClient) => Promise<void>): Promise<void> {
    const client = restClient(url, root.token);
    while (!isStopped) {
      await call(client).catch((error: Error) => failures.push(`${error.message} ${String(error.cause ?? "")}`));
      await sleep(PAUSE_MS);
    }
  }
  async function read(client: RestClient): Promise<void> {
    const { status, body } = await client.get("/api/users");
    if (status !== 200) failures.push(`GET answered ${status} ${JSON.stringify(body)}`);
    reads += 1;
  }
  async function write(client: RestClient): Promise<void> {
    const name = `配置 ${Math.random()}`;
    const fields = { ...MAIN_KEYS, name, apiUrl, defaultRegion: "cn-bj2", isActive: false };
    const { status, body } = await client.post("/api/hosts/configs", fields);
    if (status === 201) written.push(name);
    else failures.push(`POST answered ${status} ${JSON.stringify(body)}`);
  }

  const callers = [
    ...Array.from({ length: READERS }, () => repeat(read)),
    ...Array.from({ length: WRITERS }, () => repeat(write)),
  ];
  async function stop(): Promise<void> {
    isStopped = true;
    await Promise.all(callers);
  }
  return { reads: () => reads, written, failures, stop, [Symbol.asyncDispose]: stop };
}
