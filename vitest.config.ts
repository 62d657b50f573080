import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { ALIASES } from "./src/client/aliases.ts";

/** Run again on a server: what depends on SQL. */
const SQL = [
  "test/{api,authorization,deliveries,properties,sockets,sync}/**/*.test.ts",
  "test/migrations.test.ts",
];
/** Of these: what is refused before a statement of its own, and what is said over sockets and to robots. */
const WITHOUT_SQL = [
  "test/api/bad-input.test.ts",
  "test/api/channel-kinds.test.ts",
  "test/authorization/second-factor-required.test.ts",
  "test/sockets/connections.test.ts",
];
/** Longer forms of fast tests, by the variable that says how long. */
const LONGER = [
  ...(process.env.FUZZ_INPUTS === undefined ? [] : ["test/fuzz/*.test.ts"]),
  ...(process.env.RANDOM_STORIES === undefined ? [] : ["test/sync/random-rounds.test.ts"]),
];
/** Multiplies every time limit on a slow machine. */
const TIMEOUT_FACTOR = Number(process.env.TEST_TIMEOUT_FACTOR ?? 1);
const isOnServer = process.env.TEST_DATABASE_URL !== undefined;

/** Vitest starts the largest files first; these take long although they are small, and would run alone at the end. */
const LONGEST =
  /\/(authorization\/table|process\/replicas|sync\/unresponsive-provider|sync\/world-month)\.test\.ts$/;
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLongest = ({ moduleId }: TestSpecification) => LONGEST.test(moduleId);
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => Number(isLongest(b)) - Number(isLongest(a)));
  }
}

export default defineConfig({
  root: import.meta.dirname,
  resolve: { alias: ALIASES },
  test: {
    pool: "forks",
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    // The first start of each worker loads everything; a server that comes too late would take the jobs of later files.
    hookTimeout: 180_000 * TIMEOUT_FACTOR,
    // A failed expectation of a run shows its fields, and not only how many there are.
    chaiConfig: { truncateThreshold: 0 },
    // Of a wait for what happens outside the test.
    expect: { poll: { timeout: 10_000 * TIMEOUT_FACTOR } },
    projects: [
      {
        extends: true,
        test: {
          name: "fast",
          include: isOnServer ? SQL : ["test/**/*.test.ts"],
          exclude: ["test/{browser,slow}/**", ...(isOnServer ? WITHOUT_SQL : [])],
          setupFiles: ["test/harness/events-last.ts"],
          // Neither UTC nor China's time: nothing may depend on the zone of the machine.
          env: { TZ: "America/New_York" },
          // One database per worker, emptied between tests: files may share a module graph.
          isolate: false,
          // Days pass in some of them: seconds, and ten times as long on a machine that is busy.
          testTimeout: 60_000 * TIMEOUT_FACTOR,
        },
      },
      {
        extends: true,
        test: {
          name: "slow",
          include: ["test/slow/**/*.test.ts", ...LONGER],
          globalSetup: "test/slow/setup.ts",
          // One for each core of a small machine: these tests hold programs to time limits.
          maxWorkers: 2,
          testTimeout: 120_000 * TIMEOUT_FACTOR,
        },
      },
    ],
  },
});
