export interface Region {
  /** e.g. `cn-bj2` */
  code: string;
  /** Zone codes, e.g. `cn-bj2-05`. */
  zones: readonly [string, ...string[]];
  /** A zone that left the provider's list and that old hosts still name. */
  retiredZone: string | undefined;
  /** Share of the hosts. */
  weight: number;
  /** Whether a new account may use it. */
  isOpened: boolean;
}

type Row = readonly [
  code: string,
  zones: readonly [string, ...string[]],
  weight: number,
  retiredZone?: string,
];

/** The provider's list of 2026-07-21: 33 regions, 43 zones. */
const ROWS: readonly Row[] = [
  ["cn-bj1", ["01"], 9],
  ["cn-bj2", ["02", "03", "05"], 300, "04"],
  ["cn-wlcb", ["01", "03"], 16],
  ["cn-wlcb2", ["01"], 5],
  ["cn-sh2", ["01", "02", "03"], 180],
  ["cn-jx", ["01"], 6],
  ["cn-sh", ["01", "02", "03"], 2],
  ["cn-gd", ["02"], 120],
  ["cn-gd2", ["01"], 15],
  ["cn-guiyang1", ["01"], 5],
  ["hk", ["02", "03"], 70, "01"],
  ["tw-tp", ["01"], 8],
  ["sg", ["01", "02"], 50],
  ["jpn-tky", ["01"], 28],
  ["kr-seoul", ["01"], 26],
  ["th-bkk", ["02"], 24, "01"],
  ["idn-jakarta", ["01"], 10],
  ["vn-sng", ["01"], 7],
  ["ph-mnl", ["01"], 4],
  ["ind-mumbai", ["01"], 6],
  ["pk-khi", ["01"], 1],
  ["us-den", ["01"], 4],
  ["us-ca", ["01"], 40],
  ["us-ws", ["01"], 20],
  ["bra-saopaulo", ["01"], 3],
  ["rus-mosc", ["01", "02"], 4],
  ["ge-fra", ["01"], 30],
  ["uk-london", ["01"], 8],
  ["uae-dubai", ["01"], 6],
  ["afr-nigeria", ["01"], 1],
  ["uz-tas", ["01"], 1],
  ["kz-ala", ["01"], 1],
  ["mx-mex", ["01"], 1],
];

/** Regions in which every project has hosts. */
const LARGE_REGIONS = 6;

const CLOSED = new Set([
  "cn-sh",
  "pk-khi",
  "bra-saopaulo",
  "afr-nigeria",
  "uz-tas",
  "kz-ala",
  "mx-mex",
]);

export const REGIONS: readonly Region[] = ROWS.map(
  ([code, [first, ...others], weight, retired]) => ({
    code,
    zones: [`${code}-${first}`, ...others.map((zone) => `${code}-${zone}`)],
    retiredZone: retired && `${code}-${retired}`,
    weight,
    isOpened: !CLOSED.has(code),
  }),
);

const BY_SIZE: readonly Region[] = REGIONS.toSorted((a, b) => b.weight - a.weight);

/**
 * The codes of the named regions, of the largest ones, or of those that are open by default.
 * @throws for an unknown code
 */
export function selectRegions(wanted: number | readonly string[] | undefined): readonly string[] {
  if (wanted === undefined)
    return REGIONS.filter(({ isOpened }) => isOpened).map(({ code }) => code);
  if (typeof wanted === "number") return BY_SIZE.slice(0, wanted).map(({ code }) => code);
  const unknown = wanted.find((code) => !REGIONS.some((region) => region.code === code));
  if (unknown !== undefined) throw new RangeError(`unknown region ${unknown}`);
  return wanted;
}

/**
 * Distributes hosts by weight; project 0 gets one in each region first, the third and later ones
 * have only large regions.
 */
export function distributeHosts(total: number, projects: number, codes: readonly string[]) {
  const regions = BY_SIZE.filter(({ code }) => codes.includes(code));
  const shares = Array.from({ length: projects }, (_, project) =>
    regions
      .slice(0, project < 2 ? regions.length : LARGE_REGIONS)
      .map(({ code, weight }, rank) => ({
        project,
        region: code,
        weight: weight / (project + 1),
        minimum: project === 0 && rank < total ? 1 : 0,
      })),
  ).flat();
  const left = total - shares.reduce((sum, { minimum }) => sum + minimum, 0);
  const weights = shares.reduce((sum, { weight }) => sum + weight, 0);
  let weightSoFar = 0;
  let given = 0;
  return shares.map(({ project, region, weight, minimum }) => {
    weightSoFar += weight;
    const count = Math.round((left * weightSoFar) / weights) - given;
    given += count;
    return { project, region, count: minimum + count };
  });
}
