import { isStorableText } from "../../shared/text.ts";
import { MAX_UNIX_SECONDS } from "../../shared/time.ts";

/**
 * Fields of a record from the provider, read one by one: an account has thousands of hosts, and checking them by a schema took longer
 * than parsing their JSON. Absent and null are the same. What cannot be used throws an UnreadableField.
 */
export type Fields = Readonly<Record<string, unknown>>;

/** What an `integer` column holds. */
export const MAX_INT = 2_147_483_647;
export const MAX_TEXT = 1_000;
export const MAX_ID = 100;
export const ID = /^\S+$/;
const MAX_ITEMS = 200;
/** The provider's models are not always right about what is a number and what is text. */
export const NUMBER_AS_TEXT = /^-?\d{1,15}(\.0+)?$/;

/** `path` as in `IPSet.0.IP`; empty for a record that is none. */
export class UnreadableField extends Error {
  readonly path: string;

  constructor(path: string) {
    super(`unreadable: ${path}`);
    this.path = path;
  }
}

export function readFields(value: unknown): Fields {
  if (!isFields(value)) throw new UnreadableField("");
  return value;
}

/** `""` when there is none. */
export function readText(fields: Fields, key: string, max = MAX_TEXT): string {
  const value = fields[key] ?? "";
  if (typeof value !== "string" || value.length > max || !isStorableText(value)) throw new UnreadableField(key);
  return value;
}

/** Must be there. */
export function readId(fields: Fields, key: string): string {
  const value = readText(fields, key, MAX_ID);
  if (!ID.test(value)) throw new UnreadableField(key);
  return value;
}

/** 0 when there is none. */
export function readCount(fields: Fields, key: string): number {
  return readWhole(fields, key, MAX_INT) ?? 0;
}

/** In Unix seconds; 0 is how the provider says "none". */
export function readTime(fields: Fields, key: string): number | null {
  return readWhole(fields, key, MAX_UNIX_SECONDS) || null;
}

/** Each item read by `read`; none when there is no list. */
export function readItems<Item>(fields: Fields, key: string, read: (item: Fields) => Item): Item[] {
  const items = fields[key] ?? [];
  if (!Array.isArray(items) || items.length > MAX_ITEMS) throw new UnreadableField(key);
  return items.map((item: unknown, index) => {
    try {
      return read(readFields(item));
    } catch (error) {
      throw error instanceof UnreadableField ? new UnreadableField(joined(key, index, error.path)) : error;
    }
  });
}

function joined(key: string, index: number, path: string): string {
  return path === "" ? `${key}.${index}` : `${key}.${index}.${path}`;
}

function readWhole(fields: Fields, key: string, max: number): number | null {
  const given = fields[key] ?? null;
  if (given === null) return null;
  const value = typeof given === "string" && NUMBER_AS_TEXT.test(given) ? Number(given) : given;
  if (typeof value !== "number" || !Number.isInteger(value) || value < 0 || value > max) throw new UnreadableField(key);
  return value;
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
