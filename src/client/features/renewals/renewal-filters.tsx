import { RENEWAL_STATUS_LABELS } from "@shared/renewal-status.ts";
import type { RenewalList } from "@shared/renewals.ts";
import { isClient } from "@shared/roles.ts";
import { SearchBox } from "@/components/list-filters";
import { renewalTones } from "@/components/renewals/renewal-status-badge";
import { StatusDot } from "@/components/ui/badge";
import { cn } from "@/lib/cn";
import { formatNumber } from "@/lib/format-number";
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
          <StatusChip
            key={status}
            status={status}
            count={status === "all" ? total : counts?.[status]}
            isChosen={params.status === status}
            onClick={() => setFilters({ status })}
          />
        ))}
      </div>
    </div>
  );
}

type StatusChipProps = {
  status: StatusFilter;
  count: number | undefined;
  isChosen: boolean;
  onClick: () => void;
};

function StatusChip({ status, count, isChosen, onClick }: StatusChipProps) {
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      onClick={onClick}
      className={cn(
        "inline-flex h-8 shrink-0 items-center gap-1.5 rounded-full border px-3 text-sm whitespace-nowrap transition-colors",
        isChosen
          ? "border-primary bg-primary-soft font-medium text-primary-ink"
          : "bg-card text-muted-foreground hover:bg-accent hover:text-foreground",
      )}
    >
      {status === "all" ? null : <StatusDot tone={renewalTones[status]} />}
      <span>{status === "all" ? "全部" : RENEWAL_STATUS_LABELS[status]}</span>
      <span className="min-w-2 tabular-nums">{count === undefined ? "" : formatNumber(count)}</span>
    </button>
  );
}
