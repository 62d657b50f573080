import { type Outcome, succeed } from "../outcome.ts";
import { type ActionCall, denied } from "./action.ts";

/** One row per zone, regions that are not opened included: the caller learns that only from a 230 later. */
export function getRegion({ account, world }: ActionCall): Outcome {
  if (account.isSub) return denied();
  const rows = world.regions.flatMap((region) =>
    region.zones.map((zone) => ({
      RegionId: region.number,
      // the real answer carries the code here, not a Chinese name
      RegionName: region.code,
      IsDefault: region.code === "cn-bj2",
      BitMaps: world.isOpen(region.code) ? "1111111111111111" : "0000000000000000",
      Region: region.code,
      Zone: zone,
    })),
  );
  return succeed({ Regions: rows });
}
