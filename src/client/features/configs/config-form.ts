import {
  type Config,
  CreateConfigInput,
  DEFAULT_API_URL,
  DEFAULT_SYNC_INTERVAL,
  UpdateConfigInput,
} from "@shared/configs.ts";
import { DEFAULT_REGION } from "@shared/regions.ts";
import { z } from "zod";
import { BalanceAlertText, balanceAlertText } from "./balance-alert";

/** The shared rules; the ids of the projects are typed as one text, and an amount as a text. */
export const CreateConfigForm = z.strictObject({
  ...CreateConfigInput.shape,
  projectIds: z.string().transform(splitIds).pipe(CreateConfigInput.shape.projectIds.unwrap()),
  balanceAlert: BalanceAlertText,
});

/** The keys may stay empty, which keeps the stored ones. */
export const EditConfigForm = CreateConfigForm.extend({
  publicKey: UpdateConfigInput.shape.publicKey,
  privateKey: UpdateConfigInput.shape.privateKey,
});
export type EditConfigForm = z.output<typeof EditConfigForm>;

/** What the fields of both forms hold. */
export type ConfigValues = z.input<typeof CreateConfigForm>;

/** Of these only the keys. */
export type KeyValues = Pick<ConfigValues, "publicKey" | "privateKey">;

export const NEW_CONFIG_VALUES: ConfigValues = {
  name: "",
  publicKey: "",
  privateKey: "",
  apiUrl: DEFAULT_API_URL,
  defaultRegion: DEFAULT_REGION,
  projectIds: "",
  isDefault: false,
  isActive: true,
  remark: "",
  syncIntervalMinutes: DEFAULT_SYNC_INTERVAL,
  balanceAlert: "",
};

export function configValues(config: Config): ConfigValues {
  return {
    name: config.name,
    publicKey: "",
    privateKey: "",
    apiUrl: config.apiUrl,
    defaultRegion: config.defaultRegion,
    projectIds: config.projectIds.join(", "),
    isDefault: config.isDefault,
    isActive: config.isActive,
    remark: config.remark ?? "",
    syncIntervalMinutes: config.syncIntervalMinutes,
    balanceAlert: balanceAlertText(config.balanceAlert),
  };
}

export function splitIds(text: string): string[] {
  return text.split(/[\s,，;；、]+/).filter((id) => id !== "");
}
