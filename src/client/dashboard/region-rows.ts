import type { RegionCounts } from "@shared/host-summary.ts";
import { regionName } from "@shared/regions.ts";

const SHOWN = 8;

/** The parts of a bar, from left to right. `fill` and `colour` are the same colour, for drawings and for markup. */
export const REGION_SERIES = [
  { key: "Running", label: "运行中", fill: "var(--chart-2)", colour: "bg-chart-2", status: "Running" },
  { key: "Stopped", label: "已停止", fill: "var(--chart-3)", colour: "bg-chart-3", status: "Stopped" },
  { key: "Other", label: "其他状态", fill: "var(--chart-4)", colour: "bg-chart-4", status: null },
] as const;

export type RegionRow = Omit<RegionCounts, "region"> & {
  name: string;
  total: number;
  /** The region's list; null for the rest that share a row. */
  href: string | null;
  /** Over its bars; the drawing takes it from here. */
  cursor: "pointer" | "default";
};

/** The biggest regions, and one row for all others. */
export function regionRows(regions: readonly RegionCounts[]): RegionRow[] {
  // One more region takes no more room than the row that would stand for it.
  const shown = regions.length <= SHOWN + 1 ? regions.length : SHOWN;
  const rows = regions.slice(0, shown).map(({ region, ...counts }) => ({
    ...counts,
    name: regionName(region),
    total: totalOf(counts),
    href: `/hosts?${new URLSearchParams({ region })}`,
    cursor: "pointer" as const,
  }));
  const rest = regions.slice(shown);
  if (rest.length === 0) return rows;
  const counts = {
    Running: sum(rest, "Running"),
    Stopped: sum(rest, "Stopped"),
    Other: sum(rest, "Other"),
  };
  return [
    ...rows,
    { ...counts, name: `其他 ${rest.length} 个地域`, total: totalOf(counts), href: null, cursor: "default" },
  ];
}

function totalOf({ Running, Stopped, Other }: Omit<RegionCounts, "region">): number {
  return Running + Stopped + Other;
}

function sum(regions: readonly RegionCounts[], key: "Running" | "Stopped" | "Other"): number {
  return regions.reduce((total, region) => total + region[key], 0);
}
