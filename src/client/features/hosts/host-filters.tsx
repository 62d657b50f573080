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
import { Sheet, SheetClose, SheetContent, SheetTrigger } from "@/components/ui/sheet";
import { Tooltip } from "@/components/ui/tooltip";
import { cn } from "@/lib/cn";
import { useBack } from "@/lib/use-back";
import { useIsMediumScreen } from "@/lib/use-media";
import { useCurrentUser } from "@/session/session";
import type { HostSearch } from "./host-search";

type FiltersProps = { search: HostSearch };

/**
 * One line on wide screens; between `lg` and `xl` a super admin's search has a line of its own. A
 * sheet on phones.
 */
export function HostFilters({ search }: FiltersProps) {
  const isMedium = useIsMediumScreen();
  const { role } = useCurrentUser();
  const isSuper = isSuperAdmin(role);
  const { params, setFilters } = search;

  return (
    <div className="flex flex-wrap items-center gap-2 print:hidden">
      <SearchBox
        label="搜索主机"
        placeholder={isClient(role) ? "搜索名称或资源 ID" : "搜索名称、资源 ID 或 IP"}
        value={params.search}
        onSearch={(text) => setFilters({ search: text }, { replace: params.search !== "" })}
        className={cn(
          "min-w-0 flex-1 md:max-w-64 md:min-w-48",
          isSuper && "lg:max-xl:max-w-none lg:max-xl:basis-full",
        )}
      />
      {isMedium ? <Filters search={search} /> : <FilterSheet search={search} />}
      <PersonFilter search={search} />
      {isMedium && search.isNarrowed ? (
        <Tooltip content="清除筛选">
          <Button variant="ghost" icon aria-label="清除筛选" onClick={search.clear}>
            <FilterX />
          </Button>
        </Tooltip>
      ) : null}
    </div>
  );
}

/** Whose hosts are listed, when the address names a person. */
function PersonFilter({ search: { params, setFilters } }: FiltersProps) {
  const { role } = useCurrentUser();
  const { userId } = params;
  const isShown = userId !== undefined && !isClient(role);
  const user = trpc.users.get.useQuery({ id: userId ?? "" }, { enabled: isShown });
  if (!isShown) return null;

  return (
    <span className="flex h-8.5 max-w-full items-center gap-1 rounded-md border bg-primary-soft pl-3 text-sm text-primary-ink max-md:w-full max-md:justify-between">
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

function Filters({ search: { params, setFilters } }: FiltersProps) {
  const { role } = useCurrentUser();
  const isSuper = isSuperAdmin(role);
  const configs = trpc.configs.list.useQuery(undefined, { enabled: isSuper });

  return (
    <>
      <HostFilter
        label="状态"
        all="全部状态"
        className="w-26"
        value={params.status}
        onValueChange={(status) => setFilters({ status })}
        options={statusOptions}
      />
      <FilterField label="地域" className="w-40">
        <Combobox
          aria-label="地域"
          searchPlaceholder="搜索地域名称或代码"
          value={params.region ?? "all"}
          selectedLabel={params.region === undefined ? undefined : regionName(params.region)}
          onValueChange={(region) =>
            setFilters({ region: region === null || region === "all" ? undefined : region })
          }
          options={regionOptions}
        />
      </FilterField>
      {isSuper ? (
        <>
          <HostFilter
            label="配置"
            all="全部配置"
            className="w-28"
            value={params.configId}
            onValueChange={(configId) => setFilters({ configId })}
            options={(configs.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          />
          <HostFilter
            label="云端到期"
            all="云端到期不限"
            className="w-32"
            value={params.expired ? "expired" : params.expiring?.toString()}
            onValueChange={(value) =>
              setFilters({ expired: value === "expired" || undefined, expiring: daysIn(value) })
            }
            options={expiryOptions("云端", params.expiring)}
          />
        </>
      ) : null}
      <HostFilter
        label={isSuper ? "分配与用户到期" : "到期时间"}
        all={isSuper ? "分配不限" : "到期不限"}
        className="w-34"
        value={
          params.assigned ??
          (params.assignedExpired ? "expired" : params.assignedExpiring?.toString())
        }
        onValueChange={(value) =>
          setFilters({
            assigned: assignedOptions.find((option) => option.value === value)?.value,
            assignedExpired: value === "expired" || undefined,
            assignedExpiring: daysIn(value),
          })
        }
        options={[
          ...(isSuper ? assignedOptions : []),
          ...expiryOptions(isClient(role) ? "" : "用户", params.assignedExpiring),
        ]}
      />
      {isSuper ? (
        <HostFilter
          label="云端情况"
          all="云端存在"
          className="w-26"
          value={params.gone ? "true" : undefined}
          onValueChange={(value) => setFilters({ gone: value === "true" || undefined })}
          options={[{ value: "true", label: "已消失" }]}
        />
      ) : null}
    </>
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
      className="w-34"
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
  const isSuper = isSuperAdmin(useCurrentUser().role);
  if (!isMedium) return <Field label={label}>{children}</Field>;

  return (
    <div className={cn(className, isSuper && "lg:max-xl:min-w-0 lg:max-xl:flex-1")}>{children}</div>
  );
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
