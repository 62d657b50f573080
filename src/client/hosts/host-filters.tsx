import { HOST_SORT_LABELS, HOST_STATUS_LABELS, HostSort, HostStatus } from "@shared/hosts.ts";
import { SortOrder } from "@shared/page.ts";
import { knownRegions, regionName } from "@shared/regions.ts";
import { isClient, isSuperAdmin, type Role } from "@shared/roles.ts";
import { FilterX, SlidersHorizontal } from "lucide-react";
import { type ReactNode, useState } from "react";
import { trpc } from "@/api/trpc";
import { Combobox } from "@/components/combobox";
import { SearchBox } from "@/components/search-box";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { DialogBody, DialogFooter, DialogHeader } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { NativeSelect } from "@/components/ui/native-select";
import { Sheet, SheetClose, SheetContent, SheetTrigger } from "@/components/ui/sheet";
import { Tooltip } from "@/components/ui/tooltip";
import { cn } from "@/lib/cn";
import { useBack } from "@/lib/use-back";
import { useIsMediumScreen } from "@/lib/use-media";
import { useCurrentUser } from "@/session/session";
import type { HostSearch } from "./host-search";

type FiltersProps = { search: HostSearch };

/** One line on wide screens; between `lg` and `xl` the operator's search has a line of its own. A sheet on phones. */
export function HostFilters({ search }: FiltersProps) {
  const isMedium = useIsMediumScreen();
  const isOperator = isSuperAdmin(useCurrentUser().role);
  const { params, setFilters } = search;
  return (
    <div className="flex flex-wrap items-center gap-2">
      <SearchBox
        label="搜索主机"
        placeholder="搜索主机名称或资源 ID"
        value={params.search}
        onSearch={(text) => setFilters({ search: text }, { replace: params.search !== "" })}
        className={cn(
          "min-w-0 flex-1 md:max-w-64 md:min-w-48",
          isOperator && "lg:max-xl:max-w-none lg:max-xl:basis-full",
        )}
      />
      {isMedium ? <Filters search={search} layout="row" /> : <FilterSheet search={search} />}
      {isMedium && search.isNarrowed ? (
        <Tooltip content="清除筛选">
          <Button variant="ghost" icon aria-label="清除筛选" onClick={search.clear}>
            <FilterX aria-hidden="true" />
          </Button>
        </Tooltip>
      ) : null}
    </div>
  );
}

function FilterSheet({ search }: FiltersProps) {
  const [isOpen, setOpen] = useState(false);
  useBack(isOpen, () => setOpen(false));
  return (
    <Sheet open={isOpen} onOpenChange={setOpen}>
      <SheetTrigger asChild>
        <Button variant="outline">
          <SlidersHorizontal aria-hidden="true" />
          筛选
          {search.filterCount > 0 ? <Badge tone="accent">{search.filterCount}</Badge> : null}
        </Button>
      </SheetTrigger>
      <SheetContent side="bottom">
        <DialogHeader title="筛选主机" />
        <DialogBody className="grid gap-4">
          <Filters search={search} layout="stack" />
          <SortControl search={search} layout="stack" />
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

type ControlProps = FiltersProps & { layout: "row" | "stack" };

function Filters({ search: { params, setFilters }, layout }: ControlProps) {
  const isOperator = isSuperAdmin(useCurrentUser().role);
  const configs = trpc.configs.list.useQuery(undefined, { enabled: isOperator });
  return (
    <>
      <Control layout={layout} label="状态" className="w-26">
        <NativeSelect
          aria-label="状态"
          value={params.status ?? "all"}
          onValueChange={(value) => setFilters({ status: value === "all" ? undefined : value })}
          options={statusOptions}
        />
      </Control>
      <Control layout={layout} label="地域" className="w-40">
        <Combobox
          aria-label="地域"
          searchPlaceholder="搜索地域名称或代码"
          value={params.region ?? "all"}
          selectedLabel={params.region === undefined ? undefined : regionName(params.region)}
          onValueChange={(region) => setFilters({ region: region === null || region === "all" ? undefined : region })}
          options={regionOptions}
        />
      </Control>
      {isOperator ? (
        <>
          <Control layout={layout} label="配置" className="w-28">
            <NativeSelect
              aria-label="配置"
              value={params.configId ?? "all"}
              onValueChange={(value) => setFilters({ configId: value === "all" ? undefined : value })}
              options={[
                { value: "all", label: "全部配置" },
                ...(configs.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
              ]}
            />
          </Control>
          <Control layout={layout} label="分配情况" className="w-26">
            <NativeSelect
              aria-label="分配情况"
              value={params.assigned ?? "all"}
              onValueChange={(value) => setFilters({ assigned: value === "all" ? undefined : value })}
              options={assignedOptions}
            />
          </Control>
        </>
      ) : null}
      <Control layout={layout} label="到期时间" className="w-32">
        <NativeSelect
          aria-label="到期时间"
          value={params.expired === "true" ? "expired" : String(params.expiring ?? "all")}
          onValueChange={(value) => setFilters(endFilter(value))}
          options={endOptions(params.expiring)}
        />
      </Control>
      {isOperator ? (
        <Control layout={layout} label="云端情况" className="w-26">
          <NativeSelect
            aria-label="云端情况"
            value={params.gone ?? "present"}
            onValueChange={(value) => setFilters({ gone: value === "true" ? value : undefined })}
            options={goneOptions}
          />
        </Control>
      ) : null}
    </>
  );
}

/** For views without column heads. */
export function SortControl({ search: { params, setFilters }, layout }: ControlProps) {
  const { role } = useCurrentUser();
  const choices = HostSort.options
    // A client's own end is `expireTime`.
    .filter((sort) => sort !== "assignedExpireTime" || !isClient(role))
    .flatMap((sort) => SortOrder.options.map((order) => ({ value: `${sort} ${order}`, sort, order })));
  const chosen = choices.find(({ sort, order }) => sort === params.sort && order === params.order);
  return (
    <Control layout={layout} label="排序" className="w-34">
      <NativeSelect
        aria-label="排序"
        value={chosen?.value ?? ""}
        onValueChange={(value) => {
          const choice = choices.find((one) => one.value === value);
          setFilters({ sort: choice?.sort, order: choice?.order ?? "asc" });
        }}
        options={[
          { value: "", label: "默认排序" },
          ...choices.map(({ value, sort, order }) => ({ value, label: sortText(role, sort, order) })),
        ]}
      />
    </Control>
  );
}

/** `云端到期升序`: dates are a client's own, and the provider's for the others. */
export function sortText(role: Role, sort: HostSort, order: SortOrder): string {
  const own = isClient(role)
    ? { ...HOST_SORT_LABELS, createTime: "开始时间" }
    : { ...HOST_SORT_LABELS, expireTime: "云端到期" };
  return `${own[sort]}${order === "asc" ? "升序" : "降序"}`;
}

type LabelledControlProps = { layout: "row" | "stack"; label: string; className: string; children: ReactNode };

function Control({ layout, label, className, children }: LabelledControlProps) {
  const isOperator = isSuperAdmin(useCurrentUser().role);
  if (layout === "stack") return <Field label={label}>{children}</Field>;
  return <div className={cn(className, isOperator && "lg:max-xl:min-w-0 lg:max-xl:flex-1")}>{children}</div>;
}

const statusOptions = [
  { value: "all" as const, label: "全部状态" },
  ...HostStatus.options.map((value) => ({ value, label: HOST_STATUS_LABELS[value] })),
];
const assignedOptions = [
  { value: "all" as const, label: "分配不限" },
  { value: "true" as const, label: "已分配" },
  { value: "false" as const, label: "未分配" },
];
const goneOptions = [
  { value: "present" as const, label: "云端存在" },
  { value: "true" as const, label: "已消失" },
];
const regionOptions = [
  { value: "all", label: "全部地域" },
  ...knownRegions().map((region) => ({ value: region, label: regionName(region), description: region })),
];

/** "Expired" and "ends within so many days" exclude each other. */
function endFilter(value: string) {
  const days = Number(value);
  const expired = value === "expired" ? ("true" as const) : undefined;
  return { expired, expiring: Number.isNaN(days) ? undefined : days };
}

/** A number of days from the address joins the choices. */
function endOptions(chosen: number | undefined) {
  const days = [...new Set([...(chosen === undefined ? [] : [chosen]), 7, 30, 90])];
  return [
    { value: "all", label: "到期不限" },
    { value: "expired", label: "已过期" },
    ...days.map((count) => ({ value: String(count), label: `${count} 天内到期` })),
  ];
}
