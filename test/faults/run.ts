/**
 * Puts deliberate faults into a copy of the product, one at a time, and runs the test that must
 * find each: `node test/faults/run.ts [part of a name]`. Those that need a server are tried with
 * `node scripts/with-postgresql.ts -- node test/faults/run.ts`.
 *
 * Exits with 1 when a test does not find its fault, or when a fault does not fit the sources any
 * more.
 */
import { execFileSync, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { z } from "zod";
import { applyFault, type Fault, misfitOf, readFaults } from "./faults.ts";

const ROOT = join(import.meta.dirname, "../..");
const Report = z.object({ numPassedTests: z.number(), numFailedTests: z.number() });

const [wanted = ""] = process.argv.slice(2);
const faults = readFaults().filter(({ name }) => name.includes(wanted));
const misfits = faults.filter((fault) => misfitOf(fault) !== null);
for (const fault of misfits) console.error(`does not fit: ${fault.name} (${misfitOf(fault)})`);
if (misfits.length > 0 || faults.length === 0) process.exit(1);

const copy = copyProduct();
process.once("exit", () => rmSync(copy, { recursive: true, force: true }));
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));
const results: string[] = [];
for (const fault of faults) {
  results.push(tryFault(fault));
  console.log(`${results.at(-1)}: ${fault.name}`);
  // A signal that came meanwhile ends the process here.
  await nextTurn();
}
const count = (result: string) => results.filter((each) => each === result).length;
console.log(`${count("found")} of ${faults.length} faults found, ${count("skipped")} skipped`);
process.exit(count("found") + count("skipped") === faults.length ? 0 : 1);

function tryFault(fault: Fault): string {
  const { name, file, test, title, needs } = fault;
  if (needs !== undefined && process.env.TEST_DATABASE_URL === undefined) return "skipped";
  const source = readFileSync(join(ROOT, file), "utf8");
  const faulty = applyFault(source, fault);
  if (faulty === null) throw new Error(`${name} does not fit ${file}`);

  writeFileSync(join(copy, file), faulty);
  try {
    const report = join(copy, "report.json");
    rmSync(report, { force: true });
    const project = test.startsWith("test/slow/") ? "slow" : "fast";
    const options = [
      "--project",
      project,
      "--reporter",
      "json",
      "--outputFile",
      report,
      "-t",
      escaped(title),
    ];
    const { TEST_DATABASE_URL, ...onEmbedded } = process.env;
    const env = needs === undefined ? onEmbedded : process.env;
    spawnSync("node_modules/.bin/vitest", ["run", test, ...options], {
      cwd: copy,
      stdio: "ignore",
      env,
    });
    if (!existsSync(report)) return "not run";
    const { numFailedTests, numPassedTests } = Report.parse(
      JSON.parse(readFileSync(report, "utf8")),
    );
    if (numFailedTests > 0) return "found";
    return numPassedTests > 0 ? "NOT FOUND" : "no such test, or the fault breaks its imports";
  } finally {
    writeFileSync(join(copy, file), source);
  }
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}

/**
 * Tracked and new files, without what is ignored; dependencies and the built console are shared.
 */
function copyProduct(): string {
  const to = mkdtempSync(join(tmpdir(), "host-console-faults-"));
  const files = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "-z"], {
    cwd: ROOT,
    encoding: "utf8",
  });
  for (const file of files.split("\0")) {
    if (file !== "" && existsSync(join(ROOT, file)))
      cpSync(join(ROOT, file), join(to, file), { recursive: true });
  }
  for (const shared of ["node_modules", "dist"]) {
    if (!existsSync(join(to, shared)) && existsSync(join(ROOT, shared)))
      symlinkSync(join(ROOT, shared), join(to, shared));
  }
  return to;
}
