export const DEFAULT_REGION = "cn-bj2";

/**
 * Built-in Chinese names of the provider's regions; those that the owner's console has always
 * offered come first.
 */
const REGION_NAMES: ReadonlyMap<string, string> = new Map([
  ["cn-bj2", "华北（北京2）"],
  ["cn-sh2", "华东（上海2）"],
  ["cn-gd", "华南（广州）"],
  ["hk", "香港"],
  ["sg", "新加坡"],
  ["us-ca", "美国（洛杉矶）"],
  ["ge-fra", "德国（法兰克福）"],
  ["th-bkk", "泰国（曼谷）"],
  ["kr-seoul", "韩国（首尔）"],
  ["jpn-tky", "日本（东京）"],
  ["us-ws", "美国（华盛顿）"],
  ["cn-bj1", "华北（北京）"],
  ["cn-wlcb", "华北（乌兰察布）"],
  ["cn-wlcb2", "华北（乌兰察布2）"],
  ["cn-jx", "华东（嘉兴）"],
  ["cn-sh", "金融云-华东（上海）"],
  ["cn-gd2", "华南（广州2）"],
  ["cn-guiyang1", "西南（贵阳）"],
  ["tw-tp", "台湾（台北）"],
  ["idn-jakarta", "印度尼西亚（雅加达）"],
  ["vn-sng", "越南（胡志明）"],
  ["ph-mnl", "菲律宾（马尼拉）"],
  ["ind-mumbai", "印度（孟买）"],
  ["pk-khi", "巴基斯坦（卡拉奇）"],
  ["us-den", "美国（丹佛）"],
  ["bra-saopaulo", "巴西（圣保罗）"],
  ["rus-mosc", "俄罗斯（莫斯科）"],
  ["uk-london", "英国（伦敦）"],
  ["uae-dubai", "阿联酋（迪拜）"],
  ["afr-nigeria", "尼日利亚（拉各斯）"],
  ["uz-tas", "乌兹别克斯坦（塔什干）"],
  ["kz-ala", "哈萨克斯坦（阿拉木图）"],
  ["mx-mex", "墨西哥（墨西哥城）"],
]);

export function knownRegions(): string[] {
  return [...REGION_NAMES.keys()];
}

/** The code itself of a region without a name. */
export function regionName(region: string): string {
  return REGION_NAMES.get(region) ?? region;
}

/** `cn-bj2-05` → `华北（北京2）可用区E`; an unknown code is returned as it is. */
export function zoneName(zone: string): string {
  const known = parseZone(zone);
  return known === null ? zone : `${known.region}可用区${known.letter}`;
}

/** `cn-bj2-05` → `北京2·E`, where room is short; an unknown code is returned as it is. */
export function shortZoneName(zone: string): string {
  const known = parseZone(zone);
  if (known === null) return zone;

  const place = /（(.+)）/.exec(known.region)?.[1] ?? known.region;
  return `${place}·${known.letter}`;
}

/** The region's name and the letter of a zone; null for a code that is not known. */
function parseZone(zone: string): { region: string; letter: string } | null {
  const [, code = "", number = ""] = /^(.+)-(0[1-9]|1\d|2[0-6])$/.exec(zone) ?? [];
  const region = REGION_NAMES.get(code);
  if (region === undefined) return null;
  return { region, letter: String.fromCharCode(64 + Number(number)) };
}
