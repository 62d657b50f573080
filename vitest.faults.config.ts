import { defineConfig } from "vitest/config";

/** npm run test:faults; FAULT_ROUNDS=short for a few rounds of everything, FAULT_WRITE=1 puts the figures into docs/reliability.md. */
export default defineConfig({
  root: import.meta.dirname,
  test: {
    include: ["test/faults/**/*.faults.ts"],
    globalSetup: "test/faults/setup.ts",
    pool: "forks",
    // Most of the time is spent waiting for programs that start.
    maxWorkers: 3,
    hookTimeout: 60_000,
  },
});
