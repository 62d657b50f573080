import { readFileSync, writeFileSync } from "node:fs";
import { arch, availableParallelism, cpus, loadavg, release, totalmem, type } from "node:os";
import { join } from "node:path";
import { COLUMNS, cells, type Figure } from "./figure.ts";

const REPORT = join(import.meta.dirname, "../../docs/performance.md");
const START = "<!-- bench:start -->";
const END = "<!-- bench:end -->";

/** The machine that measures, and how busy it is with other things just now. */
export function describeMachine(): string {
  const memory = Math.round(totalmem() / 1024 ** 3);
  const model = cpus()[0]?.model ?? "unknown processor";
  const load = loadavg()[0]?.toFixed(1);
  return `${availableParallelism()} cores of ${model} (${arch()}), ${memory} GiB, ${type()} ${release()}, Node ${process.versions.node}, load at the start ${load}`;
}

/** Puts a run between the markers of docs/performance.md. */
export function writeReport(figures: readonly Figure[], machine: string): void {
  const text = readFileSync(REPORT, "utf8");
  const [before, after] = [text.indexOf(START), text.indexOf(END)];
  if (before === -1 || after < before) throw new Error(`${REPORT} lacks the lines ${START} and ${END}`);
  const rows = [COLUMNS, COLUMNS.map(() => "---"), ...figures.map(cells)];
  const table = rows.map((row) => `| ${row.join(" | ")} |`).join("\n");
  const date = new Date().toISOString().slice(0, 10);
  const run = `\n${date}, ${machine}\n\n${table}\n`;
  writeFileSync(REPORT, text.slice(0, before + START.length) + run + text.slice(after));
}
