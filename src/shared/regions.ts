/** Built-in Chinese names of the provider's regions; the raw code is shown for those it does not know. */
const REGION_NAMES: Readonly<Record<string, string>> = {
  "cn-bj1": "华北（北京）",
  "cn-bj2": "华北（北京2）",
  "cn-wlcb": "华北（乌兰察布）",
  "cn-wlcb2": "华北（乌兰察布2）",
  "cn-sh2": "华东（上海2）",
  "cn-jx": "华东（嘉兴）",
  "cn-sh": "金融云-华东（上海）",
  "cn-gd": "华南（广州）",
  "cn-gd2": "华南（广州2）",
  "cn-guiyang1": "西南（贵阳）",
  hk: "香港",
  "tw-tp": "台湾（台北）",
  sg: "新加坡",
  "jpn-tky": "日本（东京）",
  "kr-seoul": "韩国（首尔）",
  "th-bkk": "泰国（曼谷）",
  "idn-jakarta": "印度尼西亚（雅加达）",
  "vn-sng": "越南（胡志明）",
  "ph-mnl": "菲律宾（马尼拉）",
  "ind-mumbai": "印度（孟买）",
  "pk-khi": "巴基斯坦（卡拉奇）",
  "us-den": "美国（丹佛）",
  "us-ca": "美国（洛杉矶）",
  "us-ws": "美国（华盛顿）",
  "bra-saopaulo": "巴西（圣保罗）",
  "rus-mosc": "俄罗斯（莫斯科）",
  "ge-fra": "德国（法兰克福）",
  "uk-london": "英国（伦敦）",
  "uae-dubai": "阿联酋（迪拜）",
  "afr-nigeria": "尼日利亚（拉各斯）",
  "uz-tas": "乌兹别克斯坦（塔什干）",
  "kz-ala": "哈萨克斯坦（阿拉木图）",
  "mx-mex": "墨西哥（墨西哥城）",
};

/** The regions the owner's console has always offered, in the owner's order. */
export const MAIN_REGIONS = [
  "cn-bj2",
  "cn-sh2",
  "cn-gd",
  "hk",
  "sg",
  "us-ca",
  "ge-fra",
  "th-bkk",
  "kr-seoul",
  "jpn-tky",
  "us-ws",
] as const;

export const DEFAULT_REGION = "cn-bj2";

export function knownRegions(): string[] {
  const main: readonly string[] = MAIN_REGIONS;
  return [...main, ...Object.keys(REGION_NAMES).filter((region) => !main.includes(region))];
}

export function regionName(region: string): string {
  return Object.hasOwn(REGION_NAMES, region) ? (REGION_NAMES[region] ?? region) : region;
}

/** `cn-bj2-05` → `华北（北京2）可用区E`; an unknown code is returned as it is. */
export function zoneName(zone: string): string {
  const parts = /^(.+)-(\d{2})$/.exec(zone);
  const region = parts?.[1];
  const number = Number(parts?.[2]);
  if (region === undefined || !Object.hasOwn(REGION_NAMES, region) || number < 1 || number > 26) return zone;
  return `${regionName(region)}可用区${String.fromCharCode(64 + number)}`;
}
