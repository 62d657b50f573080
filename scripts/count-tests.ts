import { existsSync, readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { z } from "zod";

/**
 * Adds up test reports (Vitest's and Playwright's JSON) and prints the closing line; a missing report is a failure, and so is each
 * of the checks that failed without one: node scripts/count-tests.ts --failed-checks=N REPORT…
 */
const VitestReport = z.object({ numPassedTests: z.number(), numFailedTests: z.number(), success: z.boolean() });
const PlaywrightReport = z.object({
  stats: z.object({ expected: z.number(), unexpected: z.number(), flaky: z.number() }),
});

const { values, positionals } = parseArgs({
  options: { "failed-checks": { type: "string", default: "0" } },
  allowPositionals: true,
});
let passed = 0;
let failed = Number(values["failed-checks"]);
for (const file of positionals) {
  if (!existsSync(file)) {
    console.log(`no report: ${file}`);
    failed += 1;
    continue;
  }
  const report: unknown = JSON.parse(readFileSync(file, "utf8"));
  const vitest = VitestReport.safeParse(report);
  if (vitest.success) {
    passed += vitest.data.numPassedTests;
    failed += Math.max(vitest.data.numFailedTests, vitest.data.success ? 0 : 1);
  } else {
    const { stats } = PlaywrightReport.parse(report);
    passed += stats.expected + stats.flaky;
    failed += stats.unexpected;
  }
}
console.log(`${passed} passed, ${failed} failed`);
if (failed > 0 || passed === 0) process.exitCode = 1;
