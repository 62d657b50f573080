import type { EntityManager } from "@mikro-orm/postgresql";
import { DEFAULT_SETTINGS, type Settings } from "../../shared/settings.ts";
import type { Deps } from "../core/deps.ts";
import type { Caller } from "../core/ports.ts";
import { inTransaction } from "../database/transaction.ts";
import { appendEvent } from "../events/append.ts";
import type { SettingsTables } from "./entity.ts";

export async function getSettings({ em }: { em: EntityManager }): Promise<Settings> {
  const row = await em
    .getKysely<SettingsTables>()
    .selectFrom("settings")
    .select("show_network_info_to_client")
    .where("id", "=", 1)
    .executeTakeFirst();
  return row ?? DEFAULT_SETTINGS;
}

/** Replaces the settings and tells every open console. */
export async function updateSettings(
  deps: Pick<Deps, "em" | "bus" | "clock" | "log">,
  caller: Caller,
  settings: Settings,
): Promise<Settings> {
  await inTransaction(deps, async (em) => {
    await em.execute(
      `insert into settings (id, show_network_info_to_client) values (1, ?)
       on conflict (id) do update set show_network_info_to_client = excluded.show_network_info_to_client`,
      [settings.show_network_info_to_client],
    );
    await appendEvent(em, { type: "settings.changed", data: settings }, deps.clock.now());
  });
  deps.log.info({ caller: caller.id, settings }, "settings changed");
  return settings;
}
