import { defineConfig } from "vitest/config";

export default defineConfig({
  root: import.meta.dirname,
  test: {
    include: ["test/**/*.test.ts"],
    exclude: ["test/browser/**"],
    // One database per worker, emptied between tests: files may share a module graph.
    isolate: false,
    pool: "forks",
    // More than there are cores: many stories wait for processes that start and stop.
    maxWorkers: 3,
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
});
