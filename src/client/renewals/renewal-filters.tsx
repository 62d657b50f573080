import { RefreshButton } from "@/components/refresh-button";
import { SearchBox } from "@/components/search-box";
import { StatusChips } from "./status-chips";
import type { RenewalsSearchState } from "./use-renewals-search";

type RenewalFiltersProps = {
  state: RenewalsSearchState;
  placeholder: string;
  refetch: () => Promise<{ error: unknown }>;
};

export function RenewalFilters({ state, placeholder, refetch }: RenewalFiltersProps) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <div className="flex w-full items-center gap-2 md:w-auto">
        <SearchBox
          label="搜索续费申请"
          placeholder={placeholder}
          value={state.params.search}
          onSearch={(search) => state.setFilters({ search }, { replace: state.params.search !== "" })}
          className="min-w-0 flex-1 md:w-64 md:flex-none"
        />
        <RefreshButton refetch={refetch} />
      </div>
      <StatusChips state={state} />
    </div>
  );
}
