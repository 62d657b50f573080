import type { Region } from "./catalogue.ts";

/** Regions in which every project past the second has hosts; elsewhere those projects are empty. */
const FEW = 6;

/**
 * Shares `total` hosts out to projects × regions by weight, exactly, without chance.
 * Every opened region of the default project gets at least one host when there are enough.
 * @returns counts[project][region], same order as `regions`; closed regions get 0.
 */
export function spreadHosts(
  total: number,
  projects: number,
  regions: readonly Region[],
  isOpen: (region: Region) => boolean,
): number[][] {
  const counts = Array.from({ length: projects }, () => regions.map(() => 0));
  const open = regions.flatMap((region, r) => (isOpen(region) ? [{ region, r }] : []));
  const busiest = open.toSorted((a, b) => b.region.weight - a.region.weight);
  const first = counts[0];
  if (first === undefined || open.length === 0) return counts;
  let left = total;
  for (const { r } of busiest.slice(0, left)) {
    first[r] = 1;
    left--;
  }
  const shares = counts.flatMap((row, p) =>
    (p < 2 ? busiest : busiest.slice(0, FEW)).map(({ region, r }) => ({ row, r, weight: region.weight / (p + 1) })),
  );
  const sum = shares.reduce((acc, share) => acc + share.weight, 0);
  const exact = shares.map((share) => ({ ...share, amount: (left * share.weight) / sum }));
  for (const { row, r, amount } of exact) {
    row[r] = (row[r] ?? 0) + Math.floor(amount);
    left -= Math.floor(amount);
  }
  // what rounding left over goes to the largest fractions
  for (const { row, r } of exact.toSorted((a, b) => (b.amount % 1) - (a.amount % 1)).slice(0, left)) {
    row[r] = (row[r] ?? 0) + 1;
  }
  return counts;
}
