import { z } from "zod";

/** What the operator can switch for everybody. */
export const Settings = z.strictObject({
  show_network_info_to_client: z.boolean("请选择是或否"),
});
export type Settings = z.infer<typeof Settings>;

export const DEFAULT_SETTINGS: Settings = { show_network_info_to_client: false };
