/**
 * Adds up the tests of all reports: `node scripts/count-tests.ts --failed-checks=N REPORT…`.
 * Exits with 1 when a test failed, a report is missing or no test ran.
 */
import { existsSync, readFileSync } from "node:fs";
import { z } from "zod";

const Vitest = z
  .object({ success: z.boolean(), numPassedTests: z.int(), numFailedTests: z.int() })
  // A file that cannot be loaded has no tests.
  .transform(({ success, numPassedTests: passed, numFailedTests: failed }) => ({
    passed,
    failed: success ? 0 : Math.max(failed, 1),
  }));
const Playwright = z
  .object({ stats: z.object({ expected: z.int(), unexpected: z.int() }), errors: z.array(z.unknown()) })
  .transform(({ stats, errors }) => ({ passed: stats.expected, failed: stats.unexpected + errors.length }));
const Report = z.union([Vitest, Playwright]);

const [checks = "", ...files] = process.argv.slice(2);
const sum = { passed: 0, failed: Number(checks.replace("--failed-checks=", "")) };
for (const file of files) {
  const report = existsSync(file) ? Report.parse(JSON.parse(readFileSync(file, "utf8"))) : { passed: 0, failed: 1 };
  sum.passed += report.passed;
  sum.failed += report.failed;
}
console.log(`${sum.passed} passed, ${sum.failed} failed`);
if (sum.failed > 0 || sum.passed === 0) process.exitCode = 1;
