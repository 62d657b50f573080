import { HOST_STATUS_LABELS, HostStatus } from "@shared/hosts.ts";
import { knownRegions, regionName } from "@shared/regions.ts";
import type { ReactNode } from "react";
import { trpc } from "@/api/trpc";
import { Combobox } from "@/components/ui/combobox";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import type { HostsSearchState } from "./use-hosts-search";

export type ControlProps = { state: Pick<HostsSearchState, "params" | "setFilters">; layout: "row" | "stack" };
type FilterControlsProps = ControlProps & { isOperator: boolean };

/** Every filter but the search text: side by side above the list, or one under the other in the phone's sheet. */
export function FilterControls({ state, isOperator, layout }: FilterControlsProps) {
  const { params, setFilters } = state;
  const placed = { layout };
  return (
    <>
      <Placed {...placed} label="状态" className="w-26">
        <Select
          aria-label="状态"
          value={params.status ?? "all"}
          onValueChange={(value) => setFilters({ status: value === "all" ? undefined : value })}
          options={statusOptions}
        />
      </Placed>
      <Placed {...placed} label="地域" className="w-40">
        <Combobox
          aria-label="地域"
          searchPlaceholder="搜索地域名称或代码"
          value={params.region ?? "all"}
          selectedLabel={params.region === undefined ? undefined : regionName(params.region)}
          onValueChange={(region) => setFilters({ region: region === null || region === "all" ? undefined : region })}
          options={regionOptions}
        />
      </Placed>
      {isOperator ? <OperatorControls state={state} layout={layout} /> : <EndControl state={state} layout={layout} />}
    </>
  );
}

function OperatorControls({ state: { params, setFilters }, layout }: ControlProps) {
  const configs = trpc.configs.list.useQuery();
  const configOptions = [
    { value: "all", label: "全部配置" },
    ...(configs.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
  ];
  return (
    <>
      <Placed layout={layout} label="配置" className="w-28">
        <Select
          aria-label="配置"
          value={params.configId ?? "all"}
          onValueChange={(value) => setFilters({ configId: value === "all" ? undefined : value })}
          options={configOptions}
        />
      </Placed>
      <Placed layout={layout} label="分配情况" className="w-26">
        <Select
          aria-label="分配情况"
          value={params.assigned ?? "all"}
          onValueChange={(value) => setFilters({ assigned: value === "all" ? undefined : value })}
          options={assignedOptions}
        />
      </Placed>
      <EndControl state={{ params, setFilters }} layout={layout} />
      <Placed layout={layout} label="云端情况" className="w-26">
        <Select
          aria-label="云端情况"
          value={params.gone ?? "present"}
          onValueChange={(value) => setFilters({ gone: value === "true" ? value : undefined })}
          options={goneOptions}
        />
      </Placed>
    </>
  );
}

function EndControl({ state: { params, setFilters }, layout }: ControlProps) {
  return (
    <Placed layout={layout} label="到期时间" className="w-32">
      <Select
        aria-label="到期时间"
        value={params.expired === "true" ? "expired" : String(params.expiring ?? "all")}
        onValueChange={(value) => setFilters(endFilter(value))}
        options={expiringOptions(params.expiring)}
      />
    </Placed>
  );
}

type PlacedProps = { layout: "row" | "stack"; label: string; className: string; children: ReactNode };

export function Placed({ layout, label, className, children }: PlacedProps) {
  return layout === "row" ? <div className={className}>{children}</div> : <Field label={label}>{children}</Field>;
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

const EXPIRING_CHOICES = [7, 30, 90];

/** Expired and "ends within so many days" exclude each other. */
function endFilter(value: string) {
  const days = Number(value);
  return {
    expired: value === "expired" ? "true" : undefined,
    expiring: Number.isNaN(days) ? undefined : days,
  } as const;
}

/** A number of days that came in the address joins the choices. */
function expiringOptions(chosen: number | undefined) {
  const days =
    chosen === undefined || EXPIRING_CHOICES.includes(chosen) ? EXPIRING_CHOICES : [chosen, ...EXPIRING_CHOICES];
  return [
    { value: "all", label: "到期不限" },
    { value: "expired", label: "已过期" },
    ...days.map((count) => ({ value: String(count), label: `${count} 天内到期` })),
  ];
}
