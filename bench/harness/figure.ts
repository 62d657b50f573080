import { readFileSync, writeFileSync } from "node:fs";
import { arch, availableParallelism, cpus, loadavg, release, totalmem, type } from "node:os";
import { join } from "node:path";

const REPORT = join(import.meta.dirname, "../../docs/performance.md");
const START = "<!-- bench:start -->";
const END = "<!-- bench:end -->";
const COLUMNS = ["figure", "measured", "reference", "ratio", "bar", "result"];

/** Of a rate or a share more is better, of everything else less. */
type Unit = "s" | "ms" | "µs" | "MB" | "KB" | "B" | "rows" | "/s" | "%";

/** One line of the table. */
export type Figure = readonly string[];
type Comparison = {
  reference?: readonly [string, number];
  bar?: number;
  ratioBar?: number | undefined;
};

/**
 * `reference` is of the same run and in the same unit. `bar` limits what was measured, `ratioBar`
 * its ratio to the reference.
 */
export function figure(
  name: string,
  measured: number,
  unit: Unit,
  comparison: Comparison = {},
): Figure {
  const { reference, bar, ratioBar } = comparison;
  const quantity = (value: number) => `${value.toFixed(unit === "s" ? 2 : 0)} ${unit}`;
  const ratio = reference === undefined ? null : measured / reference[1];
  const isMoreBetter = unit === "/s" || unit === "%";
  const [compared, limit] = ratioBar === undefined ? [measured, bar] : [ratio, ratioBar];
  const isReached = compared === limit || Number(compared) > Number(limit) === isMoreBetter;
  const barText = ratioBar === undefined ? quantity(Number(bar)) : `ratio ${ratioBar}`;
  return [
    name,
    quantity(measured),
    reference === undefined ? "–" : `${reference[0]}: ${quantity(reference[1])}`,
    ratio?.toFixed(2) ?? "–",
    ...(limit === undefined
      ? ["–", "–"]
      : [`${isMoreBetter ? "≥" : "≤"} ${barText}`, isReached ? "met" : "MISSED"]),
  ];
}

export function tableText(figures: readonly Figure[]): string {
  return [COLUMNS, COLUMNS.map(() => "---"), ...figures]
    .map((row) => `| ${row.join(" | ")} |`)
    .join("\n");
}

/** Two lines. */
export function describeMachine(): string {
  const memory = Math.round(totalmem() / 1024 ** 3);
  const cores = `${availableParallelism()} cores of ${cpus()[0]?.model ?? "unknown processor"} (${arch()})`;
  const load = loadavg()[0]?.toFixed(1);
  return `${cores}, ${memory} GiB,\n${type()} ${release()}, Node ${process.versions.node}, load at the start ${load}`;
}

/** Replaces the text between the markers of docs/performance.md. */
export function writeReport(table: string, machine: string): void {
  const text = readFileSync(REPORT, "utf8");
  const [start, end] = [text.indexOf(START), text.indexOf(END)];
  if (start === -1 || end < start) throw new Error(`${REPORT} lacks the lines ${START} and ${END}`);
  const run = `\n${new Date().toISOString().slice(0, 10)}, ${machine}\n\n${table}\n`;
  writeFileSync(REPORT, text.slice(0, start + START.length) + run + text.slice(end));
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

/** The smallest value that at least this share (0…1) of the values does not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const value = sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)];
  if (value === undefined) throw new Error("nothing was measured");
  return value;
}
