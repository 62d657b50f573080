/**
 * Prints the slowest and the failed tests of each report, then the sum: `node scripts/count-tests.ts --failed-checks=N REPORT…`.
 * Exits with 1 when a test failed, a report is missing or no test ran.
 */
import { existsSync, readFileSync } from "node:fs";
import { parse } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { z } from "zod";

const SLOWEST = 10;
const MESSAGE_LINES = 12;

interface TestResult {
  readonly name: string;
  readonly isPassed: boolean;
  readonly ms: number;
  readonly message: string;
}

const VitestTest = z.object({
  fullName: z.string(),
  status: z.string(),
  duration: z.number().nullish(),
  failureMessages: z.array(z.string()),
});
const VitestFile = z.object({
  name: z.string(),
  status: z.string(),
  message: z.string(),
  assertionResults: z.array(VitestTest),
});
const PlaywrightResult = z.object({
  duration: z.number(),
  errors: z.array(z.object({ message: z.string().optional() })),
});
const PlaywrightSuite = z.object({
  specs: z.array(
    z.object({ title: z.string(), ok: z.boolean(), tests: z.array(z.object({ results: z.array(PlaywrightResult) })) }),
  ),
  get suites() {
    return z.array(PlaywrightSuite).optional();
  },
});

const Report = z.union([
  z.object({ testResults: z.array(VitestFile) }).transform(({ testResults }) => testResults.flatMap(testsOfFile)),
  z.object({ suites: z.array(PlaywrightSuite) }).transform(({ suites }) => suites.flatMap(testsOfSuite)),
]);

function testsOfFile({ name, status, message, assertionResults }: z.infer<typeof VitestFile>): TestResult[] {
  // A file that cannot be loaded has no tests.
  const file = { name, isPassed: false, ms: 0, message };
  const tests = assertionResults
    .filter((test) => test.status === "passed" || test.status === "failed")
    .map(({ fullName, status, duration, failureMessages }) => ({
      name: fullName,
      isPassed: status === "passed",
      ms: duration ?? 0,
      message: failureMessages.join("\n"),
    }));
  return status === "failed" && tests.every(({ isPassed }) => isPassed) ? [...tests, file] : tests;
}

function testsOfSuite({ specs, suites = [] }: z.infer<typeof PlaywrightSuite>): TestResult[] {
  const tests = specs.map(({ title, ok, tests: [test] }) => ({
    name: title,
    isPassed: ok,
    ms: test?.results.at(-1)?.duration ?? 0,
    message: test?.results.flatMap(({ errors }) => errors.map(({ message }) => message ?? "")).join("\n") ?? "",
  }));
  return [...tests, ...suites.flatMap(testsOfSuite)];
}

const [checks = "", ...files] = process.argv.slice(2);
const missing = (name: string) => [{ name, isPassed: false, ms: 0, message: "There is no report." }];
const steps = files.map((file) => {
  const { name } = parse(file);
  return { name, tests: existsSync(file) ? Report.parse(JSON.parse(readFileSync(file, "utf8"))) : missing(name) };
});
for (const { name, tests } of steps) {
  console.log(`── slowest tests: ${name}`);
  const slowest = tests.toSorted((a, b) => b.ms - a.ms).slice(0, SLOWEST);
  for (const test of slowest) console.log(`${(test.ms / 1000).toFixed(1).padStart(7)} s  ${test.name}`);
}
const tests = steps.flatMap((step) => step.tests);
const failed = tests.filter(({ isPassed }) => !isPassed);
for (const { name, message } of failed) {
  const lines = stripVTControlCharacters(message).split("\n").slice(0, MESSAGE_LINES);
  console.log([`── failed: ${name}`, ...lines].join("\n"));
}
const failures = failed.length + Number(checks.replace("--failed-checks=", ""));
console.log(`${tests.length - failed.length} passed, ${failures} failed`);
if (failures > 0 || tests.length === 0) process.exitCode = 1;
