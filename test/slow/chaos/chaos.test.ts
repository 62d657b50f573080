import fc from "fast-check";
import { beforeEach, describe, it } from "vitest";
import { useApp } from "../../harness/app.ts";
import { stillClock } from "../../harness/fixed-clock.ts";
import { PROJECTS, REGIONS, story } from "./script.ts";
import { tell } from "./tell.ts";

/** Stories told; the same ones at every run unless told. */
const RUNS = Number(process.env.CHAOS_RUNS ?? 4);
const SEED = Number(process.env.CHAOS_SEED ?? 20_261_122);

const FOREVER = 1_000_000_000;
const clock = stillClock();
const app = useApp({
  simulator: { hosts: 0, projects: PROJECTS, regions: REGIONS },
  overrides: { clock, providerLimits: { retryBaseMs: 2, attemptTimeoutMs: 2_700, maxPauseMs: 2_500 } },
  config: { session: { ttl: FOREVER, idle: FOREVER } },
});

describe(`a provider that goes wrong in every way (seed ${SEED})`, () => {
  let clientId: string;
  beforeEach(async () => {
    clock.rewind();
    clientId = (await app.account("client")).id;
  });

  it(
    `${RUNS} stories: the console loses nothing, believes nothing that is doubtful, and knows the truth in the end`,
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.noBias(story), (told) => tell({ app, clock, clientId }, told)),
        { numRuns: RUNS, seed: SEED, endOnFailure: true },
      );
    },
    60_000 + RUNS * 30_000,
  );
});
