import { useMemo } from "react";
import { navigate, useLocationProperty } from "wouter/use-browser-location";
import type { z } from "zod";

type SetOptions = {
  /**
   * True for what is typed on or opened on the side: back then skips it. Otherwise a history entry
   * is made.
   */
  replace?: boolean;
};

/**
 * State in the address. Every field of the schema takes text or undefined and must not fail:
 * `z.coerce.number().int().min(1).catch(1)`, `HostStatus.optional().catch(undefined)`. Keep the
 * schema at module level. Parameters it does not name are left alone. Read from `location.search`
 * itself: wouter's own `useSearch` decodes it once too often. `setParams` changes the named
 * parameters; one that equals its default leaves the address.
 */
export function useSearchParams<Shape extends z.ZodRawShape>(schema: z.ZodObject<Shape>) {
  const search = useLocationProperty(() => location.search);
  const params = useMemo(() => read(schema, search), [schema, search]);

  return {
    params,
    setParams: (patch: Partial<typeof params>, options?: SetOptions) =>
      writeParams(schema, patch, options),
    /** The address that `setParams` leads to, for a link. */
    hrefTo: (patch: Partial<typeof params>) => addressWith(schema, search, patch),
  };
}

function read<Shape extends z.ZodRawShape>(schema: z.ZodObject<Shape>, search: string) {
  const given = new URLSearchParams(search);
  return schema.parse(
    Object.fromEntries(
      Object.keys(schema.shape).map((name) => [name, given.get(name) ?? undefined]),
    ),
  );
}

/** Outside of React. */
export function writeParams(schema: z.ZodObject, patch: object, options: SetOptions = {}): void {
  const target = addressWith(schema, location.search, patch);
  if (target === `${location.pathname}${location.search}${location.hash}`) return;
  navigate(target, { replace: options.replace ?? false });
}

function addressWith(schema: z.ZodObject, search: string, patch: object): string {
  const defaults = new Map<string, unknown>(Object.entries(read(schema, "")));
  const next = new URLSearchParams(search);
  for (const [name, value] of Object.entries(patch)) {
    const isUnset = value === undefined || value === null || value === "";
    if (isUnset || value === defaults.get(name)) next.delete(name);
    else next.set(name, String(value));
  }

  const query = next.toString();
  return `${location.pathname}${query === "" ? "" : `?${query}`}${location.hash}`;
}
