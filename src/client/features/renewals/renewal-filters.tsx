import { RENEWAL_STATUS_LABELS } from "@shared/renewal-status.ts";
import type { RenewalList } from "@shared/renewals.ts";
import { isClient } from "@shared/roles.ts";
import { CountChip } from "@/components/count-chip";
import { SearchBox } from "@/components/list-filters";
import { renewalTones } from "@/components/renewals/renewal-status-badge";
import { StatusDot } from "@/components/ui/badge";
import { useCurrentUser } from "@/session/session";
import { type RenewalSearch, StatusFilter } from "./renewal-search";

type RenewalFiltersProps = {
  search: RenewalSearch;
  list: { data: RenewalList | undefined };
};

export function RenewalFilters({ search: { params, setFilters }, list }: RenewalFiltersProps) {
  const { role } = useCurrentUser();
  const counts = list.data?.counts;
  const total = counts && Object.values(counts).reduce((sum, count) => sum + count, 0);

  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 print:hidden">
      <SearchBox
        label="搜索续费申请"
        placeholder={isClient(role) ? "搜索主机名称" : "搜索用户名或主机名称"}
        value={params.search}
        onSearch={(text) => setFilters({ search: text }, { replace: params.search !== "" })}
        className="w-full md:w-64"
      />
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset has borders and a layout of its own */}
      <div
        role="group"
        aria-label="按状态筛选"
        className="-mx-1 flex min-w-0 gap-1.5 overflow-x-auto p-1"
      >
        {StatusFilter.options.map((status) => (
          <CountChip
            key={status}
            label={status === "all" ? "全部" : RENEWAL_STATUS_LABELS[status]}
            mark={status === "all" ? null : <StatusDot tone={renewalTones[status]} />}
            count={status === "all" ? total : counts?.[status]}
            isChosen={params.status === status}
            onClick={() => setFilters({ status })}
          />
        ))}
      </div>
    </div>
  );
}
