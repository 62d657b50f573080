import { z } from "zod";

/** What the operator can switch for everybody. */
export const Settings = z
  .object({
    show_network_info_to_client: z
      .boolean("请选择是或否")
      .describe("是否向C端用户显示主机的 IP 地址"),
  })
  .meta({ id: "Settings", description: "系统配置" });
export type Settings = z.infer<typeof Settings>;

/** An absent setting keeps its value. */
export const UpdateSettingsInput = z
  .strictObject(Settings.shape)
  .partial()
  .meta({ id: "UpdateSettingsInput" });
export type UpdateSettingsInput = z.infer<typeof UpdateSettingsInput>;

/**
 * As an event carries them. Every setting is optional, so that replicas and consoles of
 * neighbouring versions read it.
 */
export const SettingsChanged = Settings.partial().meta({ id: "SettingsChanged" });
