import type { ProviderHost } from "../../provider/schemas.ts";

/** What the provider says of a host, beside the id by which it is known. */
export type ProviderField = Exclude<keyof ProviderHost, "ucloudId">;

/** What a column holds; `fingerprint.ts` writes each kind in its own way. */
export type FieldKind =
  | "text"
  | "text or null"
  | "number"
  | "number or null"
  | "flag or null"
  | "addresses";

/**
 * The one list of what a host has from the provider. Made from it are the columns that sync writes
 * (`sync/write-hosts.ts`), the comparison of what is stored with what came and the changes that the
 * history tells (`sync/judge-observation.ts`), and both sides of the fingerprint.
 *
 * The database computes fingerprints of these fields in this order. So whoever changes the list
 * writes a migration that makes the column `fingerprint` anew, with the expression that the entity
 * has by then; `test/migrations.test.ts` prints it.
 */
export const PROVIDER_FIELDS = {
  zone: "text",
  name: "text",
  osName: "text",
  osType: "text",
  status: "text",
  providerStatus: "text",
  chargeType: "text",
  cpu: "number",
  memory: "number",
  disk: "number",
  createTime: "number or null",
  expireTime: "number or null",
  autoRenew: "flag or null",
  ipSet: "addresses",
} as const satisfies Readonly<Record<ProviderField, FieldKind>>;

export const PROVIDER_FIELD_NAMES: readonly ProviderField[] =
  Object.keys(PROVIDER_FIELDS).filter(isProviderField);

function isProviderField(name: string): name is ProviderField {
  return Object.hasOwn(PROVIDER_FIELDS, name);
}
