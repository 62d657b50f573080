import { CHANNEL_CONFIGS, type UpdateChannelInput } from "../../../shared/notice-channels.ts";
import { AppError, invalidField } from "../../platform/errors.ts";
import { MASK, maskUrl } from "./present.ts";
import { ChannelSetup } from "./sealed-config.ts";

type ConfigChanges = NonNullable<UpdateChannelInput["config"]>;

/** They are written and never read, so a form sends them back empty or as they are shown. */
const SECRETS = ["password", "secret"];

/**
 * The stored configuration with the changes. Absent fields stay, and so do secrets and addresses
 * that are empty or masked. Throws INVALID_INPUT for a field that its type does not have.
 */
export function mergeConfig(setup: ChannelSetup, changes: ConfigChanges): ChannelSetup {
  const known = CHANNEL_CONFIGS[setup.type].shape;
  const merged: Record<string, unknown> = { ...setup.config };
  for (const [field, value] of Object.entries(changes)) {
    if (!Object.hasOwn(known, field)) {
      throw invalidField(`config.${field}`, `不支持的字段 config.${field}`);
    }
    if (!keepsStored(setup, field, value)) merged[field] = value;
  }

  const { data, error } = ChannelSetup.safeParse({ type: setup.type, config: merged });
  if (data !== undefined) return data;

  const fields = error.issues.map(({ path, message }) => ({ field: path.join("."), message }));
  throw new AppError("INVALID_INPUT", fields[0]?.message, { fields });
}

function keepsStored({ config }: ChannelSetup, field: string, value: unknown): boolean {
  if (value === undefined) return true;
  if (SECRETS.includes(field)) return !value || value === MASK;
  return field === "url" && "url" in config && (!value || value === maskUrl(config.url));
}
