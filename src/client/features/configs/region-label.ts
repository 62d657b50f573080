import { regionName } from "@shared/regions.ts";

/** `华北（北京2） cn-bj2` */
export function regionLabel(region: string): string {
  const name = regionName(region);
  return name === region ? region : `${name} ${region}`;
}
