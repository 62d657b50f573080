/**
 * Prints the slowest tests of each JUnit report, then the sum: `node scripts/count-tests.ts --failed-steps=N REPORT…`.
 * Exits with 1 when a step or a test failed, a report is missing or no test ran.
 */
import { existsSync, readFileSync } from "node:fs";
import { basename } from "node:path";

const SLOWEST = 10;
const [steps = "", ...files] = process.argv.slice(2);
const sum = { passed: 0, failed: Number(steps.replace("--failed-steps=", "")) };
for (const file of files) {
  const tests = existsSync(file) ? readTests(readFileSync(file, "utf8")) : null;
  console.log(`── slowest tests: ${basename(file, ".xml")}${tests === null ? ": there is no report" : ""}`);
  for (const { name, seconds } of tests?.toSorted((a, b) => b.seconds - a.seconds).slice(0, SLOWEST) ?? []) {
    console.log(`${seconds.toFixed(1).padStart(7)} s  ${name}`);
  }
  sum.passed += tests?.filter(({ result }) => result === "passed").length ?? 0;
  sum.failed += tests?.filter(({ result }) => result === "failed").length ?? 1;
}
console.log(`${sum.passed} passed, ${sum.failed} failed`);
if (sum.failed > 0 || sum.passed === 0) process.exitCode = 1;

function readTests(report: string) {
  return Array.from(
    report.matchAll(/<testcase ([^>]*?)(?:\/>|>(.*?)<\/testcase>)/gs),
    ([, attributes = "", body = ""]) => ({
      name: /\bname="([^"]*)"/.exec(attributes)?.[1]?.replaceAll("&gt;", ">").replaceAll("&apos;", "'") ?? "",
      seconds: Number(/\btime="([^"]*)"/.exec(attributes)?.[1]),
      result: /<(failure|error)\b/.test(body) ? "failed" : body.includes("<skipped") ? "skipped" : "passed",
    }),
  );
}
