import type { Settings } from "../../../shared/settings.ts";
import type { SettingsDeps } from "./deps.ts";
import { SettingsEntity } from "./entity.ts";

/** They are one row, which the first migration made. */
export async function getSettings({ em }: Pick<SettingsDeps, "em">): Promise<Settings> {
  const row = await em.findOneOrFail(SettingsEntity, { id: 1 });
  return { show_network_info_to_client: row.showNetworkInfoToClient };
}
