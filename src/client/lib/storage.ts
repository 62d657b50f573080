import { useState } from "react";
import type { z } from "zod";

/** Null also where the browser closes its storage to the page. */
export function readStorage(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Null removes the entry. Without storage the value lasts as long as the page that holds it. */
export function writeStorage(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // Full, or closed to this page.
  }
}

/** What is stored as JSON; null where nothing is that fits the schema. */
export function readStored<Schema extends z.ZodType>(
  key: string,
  schema: Schema,
): z.output<Schema> | null {
  try {
    return schema.parse(JSON.parse(readStorage(key) ?? ""));
  } catch {
    return null;
  }
}

/** A preference of this browser; the fallback where nothing is stored that fits the schema. */
export function useStored<Schema extends z.ZodType>(
  key: string,
  schema: Schema,
  fallback: z.output<Schema>,
) {
  const [value, setValue] = useState<z.output<Schema>>(() => readStored(key, schema) ?? fallback);
  function store(next: z.output<Schema>): void {
    setValue(next);
    writeStorage(key, JSON.stringify(next));
  }
  return [value, store] satisfies [z.output<Schema>, (next: z.output<Schema>) => void];
}
