import { createHash } from "node:crypto";
import { columnOf } from "../../platform/database/postgres-names.ts";
import type { ProviderHost } from "../../provider/schemas.ts";
import {
  type FieldKind,
  PROVIDER_FIELD_NAMES,
  PROVIDER_FIELDS,
  type ProviderField,
} from "./provider-fields.ts";

/*
 * The fingerprint of a host: a hash of all that the provider says of it. The database computes it
 * from the columns that it stands for, so it is true whoever wrote them; `fingerprintOf` computes
 * the same of an answer. Two hosts with one fingerprint are the same, so a sync reads and compares
 * one text of each host that has not changed. Where a host was found is compared by itself.
 *
 * The lengths before the texts keep two hosts from being written alike. Addresses are written as
 * PostgreSQL writes jsonb: shorter keys first, a blank after each colon and comma. If the two sides
 * ever differed, as while a replica of another version is at work, each host would be compared
 * field by field, which is slower and finds the same.
 */

const SQL_OF_KINDS: Readonly<Record<FieldKind, (column: string) => string>> = {
  text: (column) => `octet_length(${column})::text || ':' || ${column}`,
  "text or null": (column) => `coalesce(octet_length(${column})::text || ':' || ${column}, ',')`,
  number: (column) => `${column}::text || ','`,
  "number or null": (column) => `coalesce(${column}::text, '') || ','`,
  "flag or null": (column) => `coalesce(${column}::text, '') || ','`,
  addresses: (column) => `${column}::text`,
};

/**
 * The expression of the column. The cast to bytes reads a backslash as the beginning of an escape,
 * so each is doubled; `convert_to` may not stand in a generated column.
 */
export function fingerprintSql(): string {
  const written = PROVIDER_FIELD_NAMES.map((field) =>
    SQL_OF_KINDS[PROVIDER_FIELDS[field]](columnOf(field)),
  );
  return `encode(sha256(replace(${written.join(" || ")}, '\\', '\\\\')::bytea), 'hex')`;
}

/** What the database computes once this description is stored. */
export function fingerprintOf(host: ProviderHost): string {
  const text = PROVIDER_FIELD_NAMES.map((field) => textOf(host[field])).join("");
  return createHash("sha256").update(text).digest("hex");
}

function textOf(value: ProviderHost[ProviderField]): string {
  if (value === null) return ",";
  if (typeof value === "string") return `${Buffer.byteLength(value)}:${value}`;
  if (typeof value === "number" || typeof value === "boolean") return `${value},`;

  const addresses = value.map(
    ({ Type, IP }) => `{"IP": ${JSON.stringify(IP)}, "Type": ${JSON.stringify(Type)}}`,
  );
  return `[${addresses.join(", ")}]`;
}
