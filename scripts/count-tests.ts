import { existsSync, readFileSync } from "node:fs";
import { z } from "zod";

/** Adds up test reports: node scripts/count-tests.ts --failed-checks=N REPORT… A missing report is a failure. */
const Report = z.union([
  z.object({ numPassedTests: z.number(), numFailedTests: z.number(), success: z.boolean() }).transform((vitest) => ({
    passed: vitest.numPassedTests,
    // A file that cannot be loaded fails no test.
    failed: Math.max(vitest.numFailedTests, vitest.success ? 0 : 1),
  })),
  z
    .object({ stats: z.object({ expected: z.number(), unexpected: z.number(), flaky: z.number() }) })
    .transform(({ stats }) => ({ passed: stats.expected + stats.flaky, failed: stats.unexpected })),
]);

const [checks = "", ...files] = process.argv.slice(2);
const counts = files.map((file) =>
  existsSync(file) ? Report.parse(JSON.parse(readFileSync(file, "utf8"))) : { passed: 0, failed: 1 },
);
const passed = counts.reduce((sum, count) => sum + count.passed, 0);
const failed = counts.reduce((sum, count) => sum + count.failed, Number(checks.replace("--failed-checks=", "")));
console.log(`${passed} passed, ${failed} failed`);
if (failed > 0 || passed === 0) process.exitCode = 1;
