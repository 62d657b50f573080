/**
 * Prints the slowest tests of each report, then the sum: `node scripts/count-tests.ts --failed-checks=N REPORT…`.
 * Exits with 1 when a test failed, a report is missing or no test ran.
 */
import { existsSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { z } from "zod";

const SLOWEST = 10;

const VitestTest = z
  .object({ fullName: z.string(), duration: z.number().nullish() })
  .transform(({ fullName: name, duration }) => ({ name, ms: duration ?? 0 }));
const Vitest = z
  .object({
    success: z.boolean(),
    numPassedTests: z.int(),
    numFailedTests: z.int(),
    testResults: z.array(z.object({ assertionResults: z.array(VitestTest) })),
  })
  .transform(({ success, numPassedTests: passed, numFailedTests, testResults }) => {
    // A file that cannot be loaded has no tests.
    const failed = success ? 0 : Math.max(numFailedTests, 1);
    return { passed, failed, tests: testResults.flatMap(({ assertionResults }) => assertionResults) };
  });

const PlaywrightSuite = z.object({
  specs: z.array(
    z.object({
      title: z.string(),
      tests: z.array(z.object({ results: z.array(z.object({ duration: z.number() })) })),
    }),
  ),
  get suites() {
    return z.array(PlaywrightSuite).default([]);
  },
});
const Playwright = z
  .object({
    stats: z.object({ expected: z.int(), unexpected: z.int() }),
    errors: z.array(z.unknown()),
    suites: z.array(PlaywrightSuite),
  })
  .transform(({ stats, errors, suites }) => {
    return { passed: stats.expected, failed: stats.unexpected + errors.length, tests: suites.flatMap(testsOf) };
  });

function testsOf({ specs, suites }: z.infer<typeof PlaywrightSuite>): { name: string; ms: number }[] {
  const own = specs.map(({ title, tests: [test] }) => ({ name: title, ms: test?.results.at(-1)?.duration ?? 0 }));
  return [...own, ...suites.flatMap(testsOf)];
}

const Report = z.union([Vitest, Playwright]);
const [checks = "", ...files] = process.argv.slice(2);
const sum = { passed: 0, failed: Number(checks.replace("--failed-checks=", "")) };
for (const file of files) {
  const isThere = existsSync(file);
  const report = isThere ? Report.parse(JSON.parse(readFileSync(file, "utf8"))) : { passed: 0, failed: 1, tests: [] };
  sum.passed += report.passed;
  sum.failed += report.failed;
  console.log(`── slowest tests: ${basename(file, ".json")}${isThere ? "" : ": there is no report"}`);
  for (const { name, ms } of report.tests.toSorted((a, b) => b.ms - a.ms).slice(0, SLOWEST)) {
    console.log(`${(ms / 1000).toFixed(1).padStart(7)} s  ${name}`);
  }
}
console.log(`${sum.passed} passed, ${sum.failed} failed`);
if (sum.failed > 0 || sum.passed === 0) process.exitCode = 1;
