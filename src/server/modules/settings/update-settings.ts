import { LockMode } from "@mikro-orm/core";
import type { Settings, UpdateSettingsInput } from "../../../shared/settings.ts";
import { inTransaction } from "../../platform/database/transaction.ts";
import { fieldChanges } from "../audit-records/field-changes.ts";
import { recordAudit } from "../audit-records/record-audit.ts";
import type { SettingsDeps } from "./deps.ts";
import { SettingsEntity } from "./entity.ts";
import { publishSettingsChanged } from "./events.ts";

/** Settings that are absent stay as they are. */
export async function updateSettings(
  deps: SettingsDeps,
  input: UpdateSettingsInput,
): Promise<Settings> {
  return await inTransaction(deps, async (em) => {
    const row = await em.findOneOrFail(
      SettingsEntity,
      { id: 1 },
      { lockMode: LockMode.PESSIMISTIC_WRITE },
    );
    const before = { show_network_info_to_client: row.showNetworkInfoToClient };
    row.showNetworkInfoToClient = input.show_network_info_to_client ?? row.showNetworkInfoToClient;
    await em.flush();

    const settings = { show_network_info_to_client: row.showNetworkInfoToClient };
    const at = deps.clock.now();
    const changes = fieldChanges(before, settings);
    await recordAudit({ ...deps, em }, { action: "settings.update", changes }, at);
    if (changes.length > 0) await publishSettingsChanged(em, settings, at);
    return settings;
  });
}
