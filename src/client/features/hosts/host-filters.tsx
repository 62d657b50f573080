import { HOST_SORT_LABELS, HOST_STATUS_LABELS, HostSort, HostStatus } from "@shared/hosts.ts";
import { SortOrder } from "@shared/page.ts";
import { knownRegions, regionName } from "@shared/regions.ts";
import { isClient, isSuperAdmin, type Role } from "@shared/roles.ts";
import { FilterX, SlidersHorizontal, X } from "lucide-react";
import { type ComponentProps, type ReactNode, useState } from "react";
import { trpc } from "@/api/trpc";
import { Combobox } from "@/components/combobox";
import { FilterSelect, SearchBox } from "@/components/list-filters";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { DialogBody, DialogFooter, DialogHeader } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { activeFilterClass } from "@/components/ui/input";
import { Sheet, SheetClose, SheetContent, SheetTrigger } from "@/components/ui/sheet";
import { UserPicker } from "@/components/user-picker";
import { cn } from "@/lib/cn";
import { useBack } from "@/lib/use-back";
import { useIsMediumScreen } from "@/lib/use-media";
import { useCurrentUser } from "@/session/session";
import type { HostSearch } from "./host-search";

type FiltersProps = { search: HostSearch };

/** As many lines as they need on wide screens, a sheet on phones. */
export function HostFilters({ search }: FiltersProps) {
  const isMedium = useIsMediumScreen();
  const { role } = useCurrentUser();
  const { params, setFilters } = search;

  return (
    <div className="flex flex-wrap items-center gap-2 print:hidden">
      <SearchBox
        label="搜索主机"
        placeholder={isClient(role) ? "搜索名称或资源 ID" : "搜索名称、资源 ID 或 IP"}
        value={params.search}
        onSearch={(text) => setFilters({ search: text }, { replace: params.search !== "" })}
        className="min-w-0 flex-1 md:max-w-72 md:min-w-56"
      />
      {isMedium ? <Filters search={search} /> : <FilterSheet search={search} />}
      <ChosenPerson search={search} />
      {isMedium && search.isNarrowed ? (
        <Button variant="ghost" onClick={search.clear}>
          <FilterX />
          清除筛选
        </Button>
      ) : null}
    </div>
  );
}

/** Whose hosts are listed, when the address names a person. */
function ChosenPerson({ search: { params, setFilters } }: FiltersProps) {
  const { role } = useCurrentUser();
  const { userId } = params;
  const isShown = userId !== undefined && !isClient(role);
  const user = trpc.users.get.useQuery({ id: userId ?? "" }, { enabled: isShown });
  if (!isShown) return null;

  return (
    <span className="flex h-8.5 max-w-full items-center gap-1 rounded-md border border-primary bg-primary-soft pl-3 text-sm font-medium text-primary-ink max-md:w-full max-md:justify-between">
      <span className="truncate">
        用户：{user.data?.name ?? (user.isError ? "不存在，或不由您负责" : "…")}
      </span>
      <Button
        variant="ghost"
        size="sm"
        icon
        aria-label="不再按用户筛选"
        onClick={() => setFilters({ userId: undefined })}
      >
        <X />
      </Button>
    </span>
  );
}

function FilterSheet({ search }: FiltersProps) {
  const [isOpen, setOpen] = useState(false);
  useBack(isOpen, () => setOpen(false));

  return (
    <Sheet open={isOpen} onOpenChange={setOpen}>
      <SheetTrigger asChild>
        <Button variant="outline">
          <SlidersHorizontal />
          筛选
          {search.filterCount > 0 ? <Badge tone="accent">{search.filterCount}</Badge> : null}
        </Button>
      </SheetTrigger>
      <SheetContent side="bottom">
        <DialogHeader title="筛选主机" />
        <DialogBody className="grid gap-4">
          <Filters search={search} />
          <SortControl search={search} />
        </DialogBody>
        <DialogFooter>
          <Button variant="outline" disabled={search.filterCount === 0} onClick={search.clear}>
            清除筛选
          </Button>
          <SheetClose asChild>
            <Button>查看结果</Button>
          </SheetClose>
        </DialogFooter>
      </SheetContent>
    </Sheet>
  );
}

function Filters({ search }: FiltersProps) {
  const { role } = useCurrentUser();
  const isSuper = isSuperAdmin(role);

  return (
    <>
      <StatusFilter search={search} />
      <RegionFilter search={search} />
      {isSuper ? <ConfigFilter search={search} /> : null}
      {isClient(role) ? null : <PersonFilter search={search} />}
      {isSuper ? <AssignedFilter search={search} /> : null}
      <UserEndFilter search={search} />
      {isClient(role) ? null : <ProviderEndFilters search={search} />}
      {isSuper ? <PresenceFilter search={search} /> : null}
    </>
  );
}

function StatusFilter({ search: { params, setFilters } }: FiltersProps) {
  return (
    <HostFilter
      label="状态"
      all="全部状态"
      className="w-28"
      value={params.status}
      onValueChange={(status) => setFilters({ status })}
      options={statusOptions}
    />
  );
}

function RegionFilter({ search: { params, setFilters } }: FiltersProps) {
  return (
    <FilterField label="地域" className="w-44">
      <Combobox
        aria-label="地域"
        searchPlaceholder="搜索地域名称或代码"
        isActive={params.region !== undefined}
        value={params.region ?? "all"}
        selectedLabel={params.region === undefined ? undefined : regionName(params.region)}
        onValueChange={(region) =>
          setFilters({ region: region === null || region === "all" ? undefined : region })
        }
        options={regionOptions}
      />
    </FilterField>
  );
}

function ConfigFilter({ search: { params, setFilters } }: FiltersProps) {
  const configs = trpc.configs.list.useQuery();
  return (
    <HostFilter
      label="云账号"
      all="全部云账号"
      className="w-36"
      value={params.configId}
      onValueChange={(configId) => setFilters({ configId })}
      options={(configs.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
    />
  );
}

/** Chooses a person; the one that is chosen stands beside the filters, see `ChosenPerson`. */
function PersonFilter({ search: { params, setFilters } }: FiltersProps) {
  if (params.userId !== undefined) return null;
  return (
    <FilterField label="分配用户" className="w-36">
      <UserPicker
        only="client"
        aria-label="分配用户"
        placeholder="全部用户"
        value={null}
        onValueChange={(userId) => setFilters({ userId: userId ?? undefined })}
      />
    </FilterField>
  );
}

function AssignedFilter({ search: { params, setFilters } }: FiltersProps) {
  return (
    <HostFilter
      label="分配"
      all="分配不限"
      className="w-28"
      value={params.assigned}
      onValueChange={(assigned) => setFilters({ assigned })}
      options={assignedOptions}
    />
  );
}

function UserEndFilter({ search: { params, setFilters } }: FiltersProps) {
  const { role } = useCurrentUser();
  const label = isClient(role) ? "到期时间" : "用户到期";
  return (
    <HostFilter
      label={label}
      all={isClient(role) ? "到期不限" : "用户到期不限"}
      className="w-44"
      value={params.assignedExpired ? "expired" : params.assignedExpiring?.toString()}
      onValueChange={(value) =>
        setFilters({
          assignedExpired: value === "expired" || undefined,
          assignedExpiring: daysIn(value),
        })
      }
      options={expiryOptions(isClient(role) ? "" : "用户", params.assignedExpiring)}
    />
  );
}

/** The ends at the provider, alone and beside those of the users. */
function ProviderEndFilters({ search: { params, setFilters } }: FiltersProps) {
  const endsFirst = params.providerEndsFirst ?? false;
  return (
    <>
      <HostFilter
        label="云端到期"
        all="云端到期不限"
        className="w-44"
        value={params.expired ? "expired" : params.expiring?.toString()}
        onValueChange={(value) =>
          setFilters({ expired: value === "expired" || undefined, expiring: daysIn(value) })
        }
        options={expiryOptions("云端", params.expiring)}
      />
      <Button
        variant="outline"
        aria-pressed={endsFirst}
        className={cn(endsFirst && activeFilterClass)}
        onClick={() => setFilters({ providerEndsFirst: !endsFirst || undefined })}
      >
        云端早于用户到期
      </Button>
    </>
  );
}

function PresenceFilter({ search: { params, setFilters } }: FiltersProps) {
  return (
    <HostFilter
      label="云端情况"
      all="云端存在"
      className="w-28"
      value={params.gone ? "true" : undefined}
      onValueChange={(value) => setFilters({ gone: value === "true" || undefined })}
      options={[{ value: "true", label: "已消失" }]}
    />
  );
}

/** For views without column heads. */
export function SortControl({ search: { params, setFilters } }: FiltersProps) {
  const { role } = useCurrentUser();
  const choices = HostSort.options
    // A client's own expiry is `expireTime`.
    .filter((sort) => sort !== "assignedExpireTime" || !isClient(role))
    .flatMap((sort) =>
      SortOrder.options.map((order) => ({ value: `${sort} ${order}`, sort, order })),
    );
  const chosen = choices.find(({ sort, order }) => sort === params.sort && order === params.order);

  return (
    <HostFilter
      label="排序"
      all="默认排序"
      className="w-40"
      value={chosen?.value}
      onValueChange={(value) => {
        const choice = choices.find((one) => one.value === value);
        setFilters({ sort: choice?.sort, order: choice?.order ?? "asc" });
      }}
      options={choices.map(({ value, sort, order }) => ({
        value,
        label: sortText(role, sort, order),
      }))}
    />
  );
}

/** `云端到期升序`: dates are a client's own, and the provider's for the others. */
function sortText(role: Role, sort: HostSort, order: SortOrder): string {
  const own = isClient(role)
    ? { ...HOST_SORT_LABELS, createTime: "开始时间" }
    : { ...HOST_SORT_LABELS, expireTime: "云端到期" };
  return `${own[sort]}${order === "asc" ? "升序" : "降序"}`;
}

type FilterFieldProps = { label: string; className: string; children: ReactNode };

/** In the row of wide screens without its label, in the sheet of phones below it. */
function FilterField({ label, className, children }: FilterFieldProps) {
  const isMedium = useIsMediumScreen();
  if (!isMedium) return <Field label={label}>{children}</Field>;
  return <div className={className}>{children}</div>;
}

function HostFilter<Value extends string>(
  props: ComponentProps<typeof FilterSelect<Value>> & { className: string },
) {
  const { className, ...select } = props;
  return (
    <FilterField label={props.label} className={className}>
      <FilterSelect {...select} />
    </FilterField>
  );
}

const statusOptions = HostStatus.options.map((value) => ({
  value,
  label: HOST_STATUS_LABELS[value],
}));
const assignedOptions = [
  { value: "true" as const, label: "已分配" },
  { value: "false" as const, label: "未分配" },
];
const regionOptions = [
  { value: "all", label: "全部地域" },
  ...knownRegions().map((region) => ({
    value: region,
    label: regionName(region),
    description: region,
  })),
];

/**
 * `whose` expiry it is: the provider's or the user's. A number of days from the address joins the
 * choices.
 */
function expiryOptions(whose: string, chosen: number | undefined) {
  const days = new Set([...(chosen === undefined ? [] : [chosen]), 7, 30, 90]);
  return [
    { value: "expired", label: `${whose}已过期` },
    ...[...days].map((count) => ({
      value: String(count),
      label: `${whose} ${count} 天内到期`.trim(),
    })),
  ];
}

/** Undefined for a choice that is no number of days. */
function daysIn(choice: string | undefined): number | undefined {
  return Number(choice) || undefined;
}
