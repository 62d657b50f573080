import { useState } from "react";
import type { z } from "zod";
import { readStorage, writeStorage } from "./storage";

/** A preference of this browser; the fallback where nothing is stored that fits the schema. */
export function useStored<Schema extends z.ZodType>(key: string, schema: Schema, fallback: z.output<Schema>) {
  const [value, setValue] = useState<z.output<Schema>>(() => {
    try {
      return schema.parse(JSON.parse(readStorage(key) ?? ""));
    } catch {
      return fallback;
    }
  });
  function store(next: z.output<Schema>): void {
    setValue(next);
    writeStorage(key, JSON.stringify(next));
  }
  return [value, store] satisfies [z.output<Schema>, (next: z.output<Schema>) => void];
}
