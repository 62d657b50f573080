import { z } from "zod";
import { useSearchParams, writeParams } from "./use-search-params";

/** The search text of a list, for the `sent` shape of `listSearch`. */
export const SearchParam = z.string().max(100).catch("");
const PageParam = z.coerce.number().int().min(1).max(1_000_000).catch(1);

/** What arranges a list instead of narrowing it. */
const ARRANGING = ["page", "limit", "sort", "order"];

/**
 * A hook for the search of a list in the address. `input` holds the page and the `sent` parameters: it is the input of the list's
 * procedure. The `local` ones stay in the address. The fields are those of `useSearchParams`. Call it at module level:
 * `const useUserSearch = listSearch({ search: SearchParam, role: Role.optional().catch(undefined) }, {})`.
 */
export function listSearch<Sent extends z.ZodRawShape, Local extends z.ZodRawShape>(sent: Sent, local: Local) {
  const inputSchema = z.object({ ...sent, page: PageParam });
  const schema = z.object({ ...sent, ...local, page: PageParam });
  const filters = Object.keys(sent).filter((name) => !ARRANGING.includes(name));
  const defaults = new Map<string, unknown>(Object.entries(inputSchema.parse({})));
  const unset = Object.fromEntries(filters.map((name) => [name, undefined]));
  const clear = () => writeParams(inputSchema, unset, {}, true);
  const setPage = (page: number) => writeParams(inputSchema, { page });
  return function useListSearch() {
    const { params, setParams, setFilters } = useSearchParams(schema);
    const { params: input } = useSearchParams(inputSchema);
    const values = new Map<string, unknown>(Object.entries(input));
    const narrowing = filters.filter((name) => values.get(name) !== defaults.get(name));
    const given = new URLSearchParams(location.search);
    const isUnknown = (name: string) => {
      const value = given.get(name);
      const byDefault = defaults.get(name);
      return value !== null && value !== "" && values.get(name) === byDefault && value !== String(byDefault);
    };
    const unknown = filters.filter(isUnknown);
    return {
      /** Filters of the address that were left out because their value is not known. */
      unknown: unknown.map((name) => `${name}=${given.get(name)}`),
      clearUnknown: () => writeParams(inputSchema, Object.fromEntries(unknown.map((name) => [name, undefined]))),
      params,
      input,
      setParams,
      setFilters,
      setPage,
      /** Removes the search text and all filters. */
      clear,
      /** How many filters are set; the search text is not among them. */
      filterCount: narrowing.filter((name) => name !== "search").length,
      isNarrowed: narrowing.length > 0,
    };
  };
}

/** What every list needs of its search, whatever its parameters are. */
export type ListSearch = {
  isNarrowed: boolean;
  unknown?: readonly string[];
  clearUnknown?: () => void;
  clear: () => void;
  setPage: (page: number) => void;
};
