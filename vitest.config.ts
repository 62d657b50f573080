import { defineConfig } from "vitest/config";

/** What knows no database, or only the embedded one, is not run a second time on a server. */
const ONCE = [
  "test/attacks/**",
  "test/{architecture,caddyfile,dependencies,deploy,embedded-database}.test.ts",
  "test/process/{data-at-start,first-start,full-log,rotate-keys,settings,steadiness}.test.ts",
  "test/provider/**",
  "test/simulator/**",
  "test/sdk/package.test.ts",
];

export default defineConfig({
  root: import.meta.dirname,
  test: {
    include: ["test/**/*.test.ts"],
    exclude: ["test/browser/**", ...(process.env.TEST_DATABASE_URL === undefined ? [] : ONCE)],
    // One database per worker, emptied between tests: files may share a module graph.
    isolate: false,
    pool: "forks",
    // More than there are cores: many stories wait for processes that start and stop.
    maxWorkers: 4,
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
});
