import { z } from "zod";
import { useSearchParams, writeParams } from "./use-search-params";

/** The search text of a list, for the `input` shape of `listSearch`. */
export const SearchParam = z.string().max(100).catch("");
const PageParam = z.coerce.number().int().min(1).max(1_000_000).catch(1);

/** Parameters that page or sort a list instead of narrowing it. */
const NOT_FILTERS = ["page", "limit", "sort", "order"];

/**
 * A hook for the search of a list in the address. Its `input`, with the page, is the input of the
 * list's procedure; the `urlOnly` parameters stay in the address. The fields are those of
 * `useSearchParams`. Call it at module level: `const useUserSearch = listSearch({ input: { search:
 * SearchParam, role: Role.optional().catch(undefined) }, urlOnly: {} })`.
 *
 * An address may come from an older console, another role or a typing error. A parameter that it
 * names in vain is left out of the search, and listed in `unknown`: without that, a list would look
 * filtered and show everything.
 */
export function listSearch<Input extends z.ZodRawShape, UrlOnly extends z.ZodRawShape>(shapes: {
  input: Input;
  urlOnly: UrlOnly;
}) {
  const inputSchema = z.object({ ...shapes.input, page: PageParam });
  const schema = z.object({ ...shapes.input, ...shapes.urlOnly, page: PageParam });
  const names = Object.keys(schema.shape);
  const filters = Object.keys(shapes.input).filter((name) => !NOT_FILTERS.includes(name));
  const defaults = new Map<string, unknown>(Object.entries(schema.parse({})));

  function clear(): void {
    writeParams(inputSchema, { ...without(filters), page: 1 });
  }

  function setPage(page: number): void {
    writeParams(inputSchema, { page });
  }

  /** `forbidden` are the parameters that the role may not use. */
  return function useListSearch(forbidden: readonly string[] = []) {
    const { params, setParams, hrefTo } = useSearchParams(schema);
    const { params: input } = useSearchParams(inputSchema);
    const values = new Map<string, unknown>(Object.entries(params));
    const given = new URLSearchParams(location.search);

    const narrowing = filters.filter(
      (name) => !forbidden.includes(name) && values.get(name) !== defaults.get(name),
    );
    const unknown = names.filter((name) => {
      if (given.has(name) && forbidden.includes(name)) return true;
      return wasRejected(given.get(name), values.get(name), defaults.get(name));
    });

    return {
      params,
      input,
      setParams,
      hrefTo,
      /** Like `setParams`, and goes back to page 1. */
      setFilters: (...[patch, options]: Parameters<typeof setParams>) =>
        writeParams(schema, { ...patch, page: 1 }, options),
      setPage,
      /** Removes the search text and all filters. */
      clear,
      /** How many filters are set; the search text is not among them. */
      filterCount: narrowing.filter((name) => name !== "search").length,
      isNarrowed: narrowing.length > 0,
      /** `status=Sleeping`: the parameters of the address that were left out. */
      unknown: unknown.map((name) => `${name}=${given.get(name)}`),
      clearUnknown: () => writeParams(schema, without(unknown)),
    };
  };
}

/** A patch that takes these parameters out of the address. */
function without(names: readonly string[]): Record<string, undefined> {
  return Object.fromEntries(names.map((name) => [name, undefined]));
}

/** Whether the field fell back to its default although the address gives another value. */
function wasRejected(given: string | null, parsed: unknown, byDefault: unknown): boolean {
  if (given === null || given === "") return false;
  return parsed === byDefault && given !== String(byDefault);
}

/** What every list needs of its search, whatever its parameters are. */
export type ListSearch = {
  isNarrowed: boolean;
  unknown?: readonly string[];
  clearUnknown?: () => void;
  clear: () => void;
  setPage: (page: number) => void;
};
