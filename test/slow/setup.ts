import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describeMachine } from "../../bench/harness/figure.ts";
import { isPostgreSqlInstalled, startPostgreSql } from "../../scripts/postgresql.ts";
import type { Figure } from "./faults/figures.ts";

const REPORT = join(import.meta.dirname, "../../docs/reliability.md");
const START = "<!-- faults:start -->";
const END = "<!-- faults:end -->";

/** One PostgreSQL server for the slow tests, and one file for the figures of the fault tests. */
export async function setup(): Promise<() => Promise<void>> {
  await using resources = new AsyncDisposableStack();
  const directory = resources.adopt(mkdtempSync(join(tmpdir(), "host-console-faults-")), (made) =>
    rmSync(made, { recursive: true, force: true }),
  );
  const figures = join(directory, "figures");
  writeFileSync(figures, "");
  process.env.FAULT_FIGURES = figures;
  if (isPostgreSqlInstalled()) process.env.SLOW_DATABASE_URL ??= await startPostgreSql(resources);
  else console.log("PostgreSQL is not installed: the embedded database only");
  const machine = describeMachine();
  const opened = resources.move();
  return async () => {
    if (process.env.FAULT_WRITE === "1") write(readFileSync(figures, "utf8"), machine);
    await opened.disposeAsync();
  };
}

/** Puts a run between the markers of docs/reliability.md. */
function write(lines: string, machine: string): void {
  const figures: Figure[] = lines
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
  figures.sort((one, other) => one.scenario.localeCompare(other.scenario));
  const text = readFileSync(REPORT, "utf8");
  const [before, after] = [text.indexOf(START), text.indexOf(END)];
  if (before === -1 || after < before) throw new Error(`${REPORT} lacks the lines ${START} and ${END}`);
  const rows = [
    ["Fault", "Database", "Rounds", "Outcome"],
    ["---", "---", "---", "---"],
    ...figures.map(({ scenario, database, rounds, outcome }) => [scenario, database, String(rounds), outcome]),
  ];
  const table = rows.map((row) => `| ${row.join(" | ")} |`).join("\n");
  const form = process.env.FAULT_ROUNDS === "long" ? "long form" : "short form";
  const run = `\n${new Date().toISOString().slice(0, 10)}, ${form}, ${machine}\n\n${table}\n`;
  writeFileSync(REPORT, text.slice(0, before + START.length) + run + text.slice(after));
}
