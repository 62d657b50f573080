import { ROLE_LABELS, Role } from "@shared/roles.ts";
import { RefreshButton } from "@/components/refresh-button";
import { SearchBox } from "@/components/search-box";
import { Button } from "@/components/ui/button";
import { Select } from "@/components/ui/select";
import { isNarrowed, NO_FILTERS, type UsersSearchState } from "./use-users-search";

type UserFiltersProps = { state: UsersSearchState; refetch: () => Promise<{ error: unknown }> };

export function UserFilters({ state, refetch }: UserFiltersProps) {
  const { params, setFilters } = state;
  return (
    <div className="flex flex-wrap items-center gap-2">
      <SearchBox
        label="搜索用户"
        placeholder="搜索用户名、姓名或邮箱"
        value={params.search}
        onSearch={(search) => setFilters({ search }, { replace: params.search !== "" })}
        className="min-w-0 basis-full md:max-w-72 md:flex-1 md:basis-48"
      />
      <Select
        aria-label="角色"
        className="min-w-0 flex-1 md:w-32 md:flex-none"
        value={params.role ?? "all"}
        onValueChange={(role) => setFilters({ role: role === "all" ? undefined : role })}
        options={roleOptions}
      />
      <Button variant="outline" disabled={!isNarrowed(params)} onClick={() => setFilters(NO_FILTERS)}>
        重置
      </Button>
      <RefreshButton refetch={refetch} />
    </div>
  );
}

const roleOptions = [
  { value: "all" as const, label: "全部角色" },
  ...Role.options.map((value) => ({ value, label: ROLE_LABELS[value] })),
];
