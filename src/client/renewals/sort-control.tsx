import type { SortOrder } from "@shared/page.ts";
import type { RenewalSort } from "@shared/renewals.ts";
import { Select } from "@/components/ui/select";
import { type RenewalsSearchState, shownOrder } from "./use-renewals-search";

const choices = [
  { sort: "createdAt", order: "desc", label: "最新提交在前" },
  { sort: "createdAt", order: "asc", label: "最早提交在前" },
  { sort: "expireTime", order: "asc", label: "最早到期在前" },
  { sort: "expireTime", order: "desc", label: "最晚到期在前" },
] as const;

/** The order of the list, for where there are no columns whose heads could be pressed. */
export function SortControl({ state: { params, setFilters } }: { state: RenewalsSearchState }) {
  const shown = shownOrder(params);
  return (
    <Select
      aria-label="排序"
      className="w-34"
      value={shown === undefined ? keyOf(choices[0]) : keyOf(shown)}
      onValueChange={(value) => {
        const choice = choices.find((one) => keyOf(one) === value);
        setFilters({ sort: choice?.sort, order: choice?.order ?? "asc" });
      }}
      options={choices.map((choice) => ({ value: keyOf(choice), label: choice.label }))}
    />
  );
}

function keyOf({ sort, order }: { sort: RenewalSort; order: SortOrder }): string {
  return `${sort} ${order}`;
}
