/** Decides which line names its public addresses carry. */
export type Place = "mainland" | "hk" | "overseas";

export interface Region {
  /** e.g. `cn-bj2` */
  code: string;
  /** The number GetRegion gives each region. */
  number: number;
  place: Place;
  /** Present zone codes, e.g. `cn-bj2-05`. */
  zones: readonly [string, ...string[]];
  /** Zones that left the official list but that old hosts still name. */
  retiredZones: readonly string[];
  /** Share of the hosts; also the order in which "the n busiest" are taken. */
  weight: number;
  /** Whether a fresh account may use it. */
  opened: boolean;
}

/** The provider's official list of 2026-07-21: 33 regions, 43 zones. */
export function regionCatalogue(): readonly Region[] {
  return ROWS.map(([code, zones, weight, opened, retired], index) => ({
    code,
    number: 1001 + index,
    place: code === "hk" ? "hk" : code.startsWith("cn-") ? "mainland" : "overseas",
    zones: [`${code}-${zones[0]}`, ...zones.slice(1).map((zone) => `${code}-${zone}`)],
    retiredZones: retired.map((zone) => `${code}-${zone}`),
    weight,
    opened,
  }));
}

type Row = readonly [
  code: string,
  zones: readonly [string, ...string[]],
  weight: number,
  opened: boolean,
  retired: readonly string[],
];

const ROWS: readonly Row[] = [
  ["cn-bj1", ["01"], 9, true, []],
  ["cn-bj2", ["02", "03", "05"], 300, true, ["04"]],
  ["cn-wlcb", ["01", "03"], 16, true, []],
  ["cn-wlcb2", ["01"], 5, true, []],
  ["cn-sh2", ["01", "02", "03"], 180, true, []],
  ["cn-jx", ["01"], 6, true, []],
  ["cn-sh", ["01", "02", "03"], 2, false, []],
  ["cn-gd", ["02"], 120, true, []],
  ["cn-gd2", ["01"], 15, true, []],
  ["cn-guiyang1", ["01"], 5, true, []],
  ["hk", ["02", "03"], 70, true, ["01"]],
  ["tw-tp", ["01"], 8, true, []],
  ["sg", ["01", "02"], 50, true, []],
  ["jpn-tky", ["01"], 28, true, []],
  ["kr-seoul", ["01"], 26, true, []],
  ["th-bkk", ["02"], 24, true, ["01"]],
  ["idn-jakarta", ["01"], 10, true, []],
  ["vn-sng", ["01"], 7, true, []],
  ["ph-mnl", ["01"], 4, true, []],
  ["ind-mumbai", ["01"], 6, true, []],
  ["pk-khi", ["01"], 1, false, []],
  ["us-den", ["01"], 4, true, []],
  ["us-ca", ["01"], 40, true, []],
  ["us-ws", ["01"], 20, true, []],
  ["bra-saopaulo", ["01"], 3, false, []],
  ["rus-mosc", ["01", "02"], 4, true, []],
  ["ge-fra", ["01"], 30, true, []],
  ["uk-london", ["01"], 8, true, []],
  ["uae-dubai", ["01"], 6, true, []],
  ["afr-nigeria", ["01"], 1, false, []],
  ["uz-tas", ["01"], 1, false, []],
  ["kz-ala", ["01"], 1, false, []],
  ["mx-mex", ["01"], 1, false, []],
];

/** Names of the simulated projects; the first is the default one. */
export const PROJECT_NAMES: readonly [string, ...string[]] = [
  "默认项目",
  "电商业务",
  "数据平台",
  "测试与预发",
  "海外业务",
  "内部系统",
];
