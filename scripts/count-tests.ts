/**
 * Prints the slowest tests of each report, then the sum of all:
 * `node scripts/count-tests.ts --failed-steps=N REPORT…`.
 *
 * A report is what the JSON reporter of Vitest or of Playwright has written. Exits with 1 when a
 * step or a test failed, a report is missing or no test ran.
 */
import { existsSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { parseArgs } from "node:util";
import { z } from "zod";

const SLOWEST = 10;

interface TestResult {
  readonly title: string;
  readonly outcome: "passed" | "failed" | "skipped";
  readonly seconds: number;
}

/** https://vitest.dev/guide/reporters#json-reporter, durations in milliseconds. */
const VitestReport = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.enum(["passed", "failed"]),
      assertionResults: z.array(
        z.object({
          fullName: z.string(),
          status: z.string(),
          duration: z.number().nullish(),
        }),
      ),
    }),
  ),
});

/** https://playwright.dev/docs/test-reporters#json-reporter, durations in milliseconds. */
const PlaywrightSpec = z.object({
  title: z.string(),
  tests: z.array(
    z.object({
      status: z.enum(["expected", "unexpected", "flaky", "skipped"]),
      results: z.array(z.object({ duration: z.number() })),
    }),
  ),
});
const PlaywrightSuite = z.object({
  title: z.string(),
  specs: z.array(PlaywrightSpec).default([]),
  get suites() {
    return z.array(PlaywrightSuite).default([]);
  },
});
const PlaywrightReport = z.object({
  suites: z.array(PlaywrightSuite),
  errors: z.array(z.unknown()).default([]),
});

const { values, positionals } = parseArgs({
  options: { "failed-steps": { type: "string", default: "0" } },
  allowPositionals: true,
});

let passed = 0;
let failed = Number(values["failed-steps"]);

for (const file of positionals) {
  const name = basename(file, ".json");

  if (!existsSync(file)) {
    console.log(`── slowest tests: ${name}: there is no report`);
    failed += 1;
    continue;
  }

  const tests = readReport(JSON.parse(readFileSync(file, "utf8")));
  passed += tests.filter(({ outcome }) => outcome === "passed").length;
  failed += tests.filter(({ outcome }) => outcome === "failed").length;

  console.log(`── slowest tests: ${name}`);
  for (const { title, seconds } of tests
    .toSorted((a, b) => b.seconds - a.seconds)
    .slice(0, SLOWEST)) {
    console.log(`${seconds.toFixed(1).padStart(7)} s  ${title}`);
  }
}

console.log(`${passed} passed, ${failed} failed`);
if (failed > 0 || passed === 0) process.exitCode = 1;

function readReport(report: unknown): TestResult[] {
  const vitest = VitestReport.safeParse(report);
  if (vitest.success) return vitest.data.testResults.flatMap(readVitestFile);

  const { suites, errors } = PlaywrightReport.parse(report);
  // Errors outside of tests, as when a file cannot be loaded.
  const outside = errors.map(
    (): TestResult => ({
      title: "an error outside of the tests",
      outcome: "failed",
      seconds: 0,
    }),
  );

  return [...suites.flatMap(readSuite), ...outside];
}

function readVitestFile(file: z.infer<typeof VitestReport>["testResults"][number]): TestResult[] {
  // A file that could not be loaded, or whose hook failed, has no failed test of its own.
  const isBroken =
    file.status === "failed" && !file.assertionResults.some(({ status }) => status === "failed");
  if (isBroken) return [{ title: file.name, outcome: "failed", seconds: 0 }];

  return file.assertionResults.map(({ fullName, status, duration }) => ({
    title: fullName,
    outcome: status === "passed" || status === "failed" ? status : "skipped",
    seconds: (duration ?? 0) / 1000,
  }));
}

function readSuite({ specs, suites }: z.infer<typeof PlaywrightSuite>): TestResult[] {
  const outcomes = {
    expected: "passed",
    flaky: "failed",
    unexpected: "failed",
    skipped: "skipped",
  } as const;

  const own = specs.flatMap(({ title, tests }) =>
    tests.map(({ status, results }) => ({
      title,
      outcome: outcomes[status],
      seconds: results.reduce((sum, { duration }) => sum + duration, 0) / 1000,
    })),
  );

  return [...own, ...suites.flatMap(readSuite)];
}
