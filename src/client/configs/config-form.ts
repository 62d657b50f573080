import { type Config, CreateConfigInput, DEFAULT_API_URL, UpdateConfigInput } from "@shared/configs.ts";
import { DEFAULT_REGION } from "@shared/regions.ts";
import { z } from "zod";

/** The shared rules; of a configuration that exists already, the keys may stay empty to keep the stored ones. */
export function configFormSchema(isNew: boolean) {
  const keys = isNew ? CreateConfigInput.shape : UpdateConfigInput.shape;
  return z.strictObject({
    ...CreateConfigInput.shape,
    publicKey: keys.publicKey,
    privateKey: keys.privateKey,
  });
}

export type ConfigFormValues = z.input<ReturnType<typeof configFormSchema>>;

/** Every field that has an input, by the names that the server uses. */
export const CONFIG_FIELDS = [
  "name",
  "publicKey",
  "privateKey",
  "apiUrl",
  "defaultRegion",
  "projectIds",
  "remark",
] as const;

/** What the provider is asked with: a test of the connection says nothing of it any more once one of these is another. */
const CONNECTION_FIELDS = ["publicKey", "privateKey", "apiUrl", "projectIds"] as const;

export function isOtherConnection(changes: UpdateConfigInput): boolean {
  return CONNECTION_FIELDS.some((name) => changes[name] !== undefined);
}

/** Whether hosts of projects that were read so far would be released. */
export function isNarrowed(before: readonly string[], after: readonly string[]): boolean {
  if (after.length === 0) return false;
  return before.length === 0 || before.some((id) => !after.includes(id));
}

export function startingValues(config: Config | null): ConfigFormValues {
  return {
    name: config?.name ?? "",
    publicKey: "",
    privateKey: "",
    apiUrl: config?.apiUrl ?? DEFAULT_API_URL,
    defaultRegion: config?.defaultRegion ?? DEFAULT_REGION,
    projectIds: config?.projectIds ?? [],
    isDefault: config?.isDefault ?? false,
    isActive: config?.isActive ?? true,
    remark: config?.remark ?? "",
  };
}

/** What was not touched since `config` was shown is not sent, so that it does not undo what somebody else has changed meanwhile. */
export function changesOf(config: Config, values: z.output<ReturnType<typeof configFormSchema>>): UpdateConfigInput {
  const shown = new Map<string, unknown>(Object.entries(startingValues(config)));
  const isTouched = ([name, value]: [string, unknown]) => JSON.stringify(value) !== JSON.stringify(shown.get(name));
  return UpdateConfigInput.parse({ ...Object.fromEntries(Object.entries(values).filter(isTouched)), id: config.id });
}
