import { useState } from "react";
import type { z } from "zod";

/** A preference of this browser. Text that does not fit the schema any more, or a storage that refuses, means the fallback. */
export function useStored<Schema extends z.ZodType>(key: string, schema: Schema, fallback: z.output<Schema>) {
  const [value, setValue] = useState<z.output<Schema>>(() => read(key, schema) ?? fallback);
  function store(next: z.output<Schema>): void {
    setValue(next);
    try {
      localStorage.setItem(key, JSON.stringify(next));
    } catch {
      // A full or forbidden storage costs the memory of the preference, nothing else.
    }
  }
  return [value, store] satisfies [z.output<Schema>, (next: z.output<Schema>) => void];
}

function read<Schema extends z.ZodType>(key: string, schema: Schema): z.output<Schema> | undefined {
  try {
    const parsed = schema.safeParse(JSON.parse(localStorage.getItem(key) ?? "null"));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}
