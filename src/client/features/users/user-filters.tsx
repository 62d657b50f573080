import { SortOrder } from "@shared/page.ts";
import { ROLE_LABELS } from "@shared/roles.ts";
import { USER_SORT_LABELS, UserRole, UserSort } from "@shared/users.ts";
import { trpc } from "@/api/trpc";
import { FilterSelect, SearchBox } from "@/components/list-filters";
import { RefreshButton } from "@/components/refresh-button";
import { Button } from "@/components/ui/button";
import { NativeSelect } from "@/components/ui/native-select";
import { UserPicker } from "@/components/user-picker";
import { useIsLargeScreen } from "@/lib/use-media";
import type { UserSearch } from "./user-search";

type FiltersProps = { search: UserSearch };
type UserFiltersProps = FiltersProps & { refetch: () => Promise<{ error: unknown }> };

const STATES = [
  { value: "active", label: "启用" },
  { value: "disabled", label: "停用" },
] as const;

export function UserFilters({ search, refetch }: UserFiltersProps) {
  const { params, setFilters } = search;
  const isTable = useIsLargeScreen();
  return (
    <div className="flex flex-wrap items-center gap-2 print:hidden">
      <SearchBox
        label="搜索用户"
        placeholder="搜索姓名、用户名、手机号或邮箱"
        value={params.search}
        onSearch={(text) => setFilters({ search: text }, { replace: params.search !== "" })}
        className="min-w-0 basis-full md:max-w-80 md:flex-1 md:basis-56"
      />
      <FilterSelect
        label="角色"
        all="全部角色"
        className="min-w-28 flex-1 md:w-32 md:flex-none"
        value={params.role}
        onValueChange={(role) => setFilters({ role })}
        options={UserRole.options.map((value) => ({ value, label: ROLE_LABELS[value] }))}
      />
      <FilterSelect
        label="状态"
        all="全部状态"
        className="min-w-28 flex-1 md:w-28 md:flex-none"
        value={params.state}
        onValueChange={(state) => setFilters({ state })}
        options={STATES}
      />
      <AdminFilter search={search} />
      {isTable ? null : <SortSelect search={search} />}
      <Button variant="outline" disabled={!search.isNarrowed} onClick={search.clear}>
        清除筛选
      </Button>
      <RefreshButton refetch={refetch} />
    </div>
  );
}

/** Those of one admin. */
function AdminFilter({ search: { params, setFilters } }: FiltersProps) {
  const { adminId } = params;
  const admin = trpc.users.get.useQuery({ id: adminId ?? "" }, { enabled: adminId !== undefined });
  return (
    <div className="min-w-36 flex-1 md:w-44 md:flex-none">
      <UserPicker
        only="admin"
        aria-label="负责管理员"
        placeholder="全部负责管理员"
        clearable
        value={adminId ?? null}
        selectedName={admin.data?.name ?? "…"}
        onValueChange={(id) => setFilters({ adminId: id ?? undefined })}
      />
    </div>
  );
}

/** For the lines, which have no heads of columns. */
function SortSelect({ search: { params, setFilters } }: FiltersProps) {
  const choices = UserSort.options.flatMap((sort) =>
    SortOrder.options.map((order) => ({ value: `${sort} ${order}`, sort, order })),
  );
  return (
    <NativeSelect
      aria-label="排序"
      className="min-w-36 flex-1 md:w-40 md:flex-none"
      value={`${params.sort} ${params.order}`}
      onValueChange={(value) => {
        const choice = choices.find((one) => one.value === value);
        if (choice !== undefined) setFilters({ sort: choice.sort, order: choice.order });
      }}
      options={choices.map(({ value, sort, order }) => ({
        value,
        label: `${USER_SORT_LABELS[sort]}${order === "asc" ? "升序" : "降序"}`,
      }))}
    />
  );
}
