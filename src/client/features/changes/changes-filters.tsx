import { HOST_CHANGE_LABELS, HostChangeKind } from "@shared/host-history.ts";
import { Id } from "@shared/ids.ts";
import { ClearFilters, FilterSelect, SearchBox } from "@/components/list-filters";
import { PeriodFilter } from "@/components/period/period-filter";
import { periodParams } from "@/components/period/period-params";
import { AccountFilter } from "@/components/sync/account-filter";
import { listSearch, SearchParam } from "@/lib/list-search";

export const useChangesSearch = listSearch({
  input: {
    search: SearchParam,
    configId: Id.optional().catch(undefined),
    kind: HostChangeKind.optional().catch(undefined),
  },
  urlOnly: periodParams("yesterday"),
});

type FiltersProps = { search: ReturnType<typeof useChangesSearch> };

export function ChangesFilters({ search }: FiltersProps) {
  const { params, setFilters } = search;

  return (
    <div className="flex flex-wrap items-center gap-2">
      <SearchBox
        label="搜索变化"
        placeholder="搜索名称、资源 ID 或变化的值"
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
        label="变化的种类"
        all="全部变化"
        className="min-w-0 flex-1 basis-2/5 md:w-36 md:flex-none"
        value={params.kind}
        onValueChange={(kind) => setFilters({ kind })}
        options={HostChangeKind.options.map((value) => ({
          value,
          label: HOST_CHANGE_LABELS[value],
        }))}
      />
      <PeriodFilter params={params} setFilters={setFilters} />
      <ClearFilters search={search} />
    </div>
  );
}
