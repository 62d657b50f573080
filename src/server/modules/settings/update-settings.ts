import { LockMode } from "@mikro-orm/core";
import type { Settings, UpdateSettingsInput } from "../../../shared/settings.ts";
import { inTransaction } from "../../platform/database/transaction.ts";
import type { Caller } from "../../platform/trpc/caller.ts";
import type { SettingsDeps } from "./deps.ts";
import { SettingsEntity } from "./entity.ts";
import { publishSettingsChanged } from "./events.ts";

/** Settings that are absent stay as they are. */
export async function updateSettings(
  deps: SettingsDeps,
  caller: Caller,
  input: UpdateSettingsInput,
): Promise<Settings> {
  const settings = await inTransaction(deps, async (em) => {
    const row = await em.findOneOrFail(
      SettingsEntity,
      { id: 1 },
      { lockMode: LockMode.PESSIMISTIC_WRITE },
    );
    const before = row.showNetworkInfoToClient;
    row.showNetworkInfoToClient = input.show_network_info_to_client ?? before;
    await em.flush();

    const settings = { show_network_info_to_client: row.showNetworkInfoToClient };
    if (row.showNetworkInfoToClient !== before) {
      await publishSettingsChanged(em, settings, deps.clock.now());
    }
    return settings;
  });

  deps.log.info({ caller: caller.id, settings }, "settings changed");
  return settings;
}
