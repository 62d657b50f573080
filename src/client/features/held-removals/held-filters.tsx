import { HELD_REASON_LABELS, HeldReason } from "@shared/held-hosts.ts";
import { Id } from "@shared/ids.ts";
import { FilterSelect, SearchBox } from "@/components/list-filters";
import { AccountFilter } from "@/components/sync/account-filter";
import { Button } from "@/components/ui/button";
import { listSearch, SearchParam } from "@/lib/list-search";

export const useHeldSearch = listSearch({
  input: {
    search: SearchParam,
    configId: Id.optional().catch(undefined),
    reason: HeldReason.optional().catch(undefined),
  },
  urlOnly: {},
});

export function HeldFilters({ search }: { search: ReturnType<typeof useHeldSearch> }) {
  const { params, setFilters } = search;

  return (
    <div className="flex flex-wrap items-center gap-2">
      <SearchBox
        label="搜索待确认的主机"
        placeholder="搜索主机名称、资源 ID 或 IP"
        value={params.search}
        onSearch={(text) => setFilters({ search: text }, { replace: params.search !== "" })}
        className="min-w-0 basis-full md:max-w-72 md:flex-1 md:basis-48"
      />
      <AccountFilter
        className="min-w-0 flex-1 basis-2/5 md:w-40 md:flex-none"
        value={params.configId}
        onValueChange={(configId) => setFilters({ configId })}
      />
      <FilterSelect
        label="原因"
        all="全部原因"
        className="min-w-0 flex-1 basis-2/5 md:w-44 md:flex-none"
        value={params.reason}
        onValueChange={(reason) => setFilters({ reason })}
        options={HeldReason.options.map((value) => ({ value, label: HELD_REASON_LABELS[value] }))}
      />
      <Button variant="outline" disabled={!search.isNarrowed} onClick={search.clear}>
        清除筛选
      </Button>
    </div>
  );
}
