import { csvText } from "../../src/shared/csv-text.ts";
import { ImportResult, type ImportRow } from "../../src/shared/imports.ts";
import { assertOk, type RestAnswer, type RestClient } from "./rest.ts";

export const CSV_TYPE = { "content-type": "text/csv" };

type Kind = "users" | "assignments";

export interface SentImport {
  readonly kind: Kind;
  /** Cells of the header and of the rows, or the file itself. */
  readonly file: readonly (readonly string[])[] | string | Uint8Array<ArrayBuffer>;
  readonly dryRun?: boolean;
  readonly type?: string;
}

/** Sends a file; by default it is written, not only checked. */
export async function sendImport(
  client: RestClient,
  { kind, file, dryRun = false, type = "text/csv" }: SentImport,
): Promise<RestAnswer> {
  const isText = typeof file === "string" || file instanceof Uint8Array;
  const body = isText ? file : csvText(file);
  const headers = { "content-type": type };
  return await client.raw("POST", `/api/${kind}/import?dryRun=${dryRun}`, { body, headers });
}

export async function importFile(client: RestClient, sent: SentImport): Promise<ImportResult> {
  const { data } = await assertOk(sendImport(client, sent));
  return ImportResult.parse(data);
}

/** `2 create`, or `3 update: phone 手机号格式不正确` for one that was refused or has a reason. */
export function outcomesOf({ rows }: ImportResult): string[] {
  return rows.map(outcomeOf);
}

function outcomeOf({ line, action, ok, errors }: ImportRow): string {
  const reasons = errors.map(({ field, message }) => `${field} ${message}`).join("; ");
  const result = ok ? "" : " failed";
  return `${line} ${action}${result}${reasons === "" ? "" : `: ${reasons}`}`;
}
