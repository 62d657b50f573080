export type Unit = "s" | "ms" | "MB" | "KB" | "rows" | "deliveries" | "/s";

/** One line of the table: a measured quantity beside another of the same run. */
export interface Figure {
  readonly name: string;
  readonly unit: Unit;
  readonly measured: number;
  /** What it is compared with, measured in the same run, in the same unit. */
  readonly against: { readonly name: string; readonly value: number };
  readonly goal?: Goal;
}

/** `ratio`: of measured to against, at most; `atLeast`: the same the other way round. `limit`: of what was measured, at most, in its unit. */
type Goal = { readonly ratio: number } | { readonly atLeast: number } | { readonly limit: number };

export const COLUMNS = ["name", "against", "measured", "goal", "ratio"] as const;

/** The cells of one line, in the order of COLUMNS. */
export function cells({ name, unit, measured, against, goal }: Figure): string[] {
  const ratio = measured / against.value;
  return [
    name,
    `${against.name}: ${quantity(against.value, unit)}`,
    quantity(measured, unit),
    goal === undefined ? "–" : `${goalText(goal, unit)} ${isMet({ measured, ratio, goal }) ? "met" : "MISSED"}`,
    Number.isFinite(ratio) ? `${ratio.toFixed(2)} ×` : "–",
  ];
}

/** The table for a terminal. */
export function tableText(figures: readonly Figure[]): string {
  const rows = [[...COLUMNS], ...figures.map(cells)];
  const widths = COLUMNS.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")).join("\n");
}

function goalText(goal: Goal, unit: Unit): string {
  if ("limit" in goal) return `≤ ${quantity(goal.limit, unit)}`;
  return "ratio" in goal ? `≤ ${goal.ratio} ×` : `≥ ${goal.atLeast} ×`;
}

function isMet({
  measured,
  ratio,
  goal,
}: {
  readonly measured: number;
  readonly ratio: number;
  readonly goal: Goal;
}): boolean {
  if ("limit" in goal) return measured <= goal.limit;
  return "ratio" in goal ? ratio <= goal.ratio : ratio >= goal.atLeast;
}

function quantity(value: number, unit: Unit): string {
  const digits = unit === "s" ? 2 : unit === "ms" && value < 10 ? 1 : 0;
  return `${value.toFixed(digits)} ${unit}`;
}
