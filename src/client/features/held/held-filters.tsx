import { HELD_REASON_LABELS, HeldReason } from "@shared/held-hosts.ts";
import { Id } from "@shared/ids.ts";
import { RefreshButton } from "@/components/refresh-button";
import { SearchBox } from "@/components/search-box";
import { Button } from "@/components/ui/button";
import { NativeSelect } from "@/components/ui/native-select";
import { listSearch, SearchParam } from "@/lib/list-search";

export const useHeldSearch = listSearch(
  {
    search: SearchParam,
    configId: Id.optional().catch(undefined),
    reason: HeldReason.optional().catch(undefined),
  },
  {},
);

type HeldFiltersProps = {
  search: ReturnType<typeof useHeldSearch>;
  configs: readonly { id: string; name: string }[];
  refetch: () => Promise<{ error: unknown }>;
};

export function HeldFilters({ search: { params, setFilters, clear, isNarrowed }, configs, refetch }: HeldFiltersProps) {
  return (
    <div className="flex flex-wrap items-center gap-2">
      <SearchBox
        label="搜索待确认的主机"
        placeholder="搜索主机名称、资源 ID 或 IP"
        value={params.search}
        onSearch={(search) => setFilters({ search }, { replace: params.search !== "" })}
        className="min-w-0 basis-full md:max-w-72 md:flex-1 md:basis-48"
      />
      <NativeSelect
        aria-label="配置"
        className="min-w-0 flex-1 basis-2/5 md:w-40 md:flex-none"
        value={params.configId ?? "all"}
        onValueChange={(value) => setFilters({ configId: value === "all" ? undefined : value })}
        options={[{ value: "all", label: "全部配置" }, ...configs.map(({ id, name }) => ({ value: id, label: name }))]}
      />
      <NativeSelect
        aria-label="原因"
        className="min-w-0 flex-1 basis-2/5 md:w-44 md:flex-none"
        value={params.reason ?? "all"}
        onValueChange={(value) => setFilters({ reason: value === "all" ? undefined : value })}
        options={reasonOptions}
      />
      <Button variant="outline" disabled={!isNarrowed} onClick={clear}>
        重置
      </Button>
      <RefreshButton refetch={refetch} />
    </div>
  );
}

const reasonOptions = [
  { value: "all" as const, label: "全部原因" },
  ...HeldReason.options.map((value) => ({ value, label: HELD_REASON_LABELS[value] })),
];
