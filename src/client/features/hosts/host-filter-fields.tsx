import { HOST_STATUS_LABELS, HostStatus } from "@shared/hosts.ts";
import { knownRegions, regionName } from "@shared/regions.ts";
import { isClient, isSuperAdmin } from "@shared/roles.ts";
import { trpc } from "@/api/trpc";
import { Combobox } from "@/components/combobox";
import { Button } from "@/components/ui/button";
import { activeFilterClass } from "@/components/ui/input";
import { UserPicker } from "@/components/user-picker";
import { cn } from "@/lib/cn";
import { useCurrentUser } from "@/session/session";
import { FilterField, HostFilter } from "./host-filter";
import type { HostSearch } from "./host-search";

type FilterProps = { search: HostSearch };

/** The filters that the role may use, in the order of the page. */
export function HostFilterFields({ search }: FilterProps) {
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

function StatusFilter({ search: { params, setFilters } }: FilterProps) {
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

function RegionFilter({ search: { params, setFilters } }: FilterProps) {
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

function ConfigFilter({ search: { params, setFilters } }: FilterProps) {
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

/** Gone once a person is chosen, who stands beside the filters: see `ChosenPerson`. */
function PersonFilter({ search: { params, setFilters } }: FilterProps) {
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

function AssignedFilter({ search: { params, setFilters } }: FilterProps) {
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

function UserEndFilter({ search: { params, setFilters } }: FilterProps) {
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
function ProviderEndFilters({ search: { params, setFilters } }: FilterProps) {
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

function PresenceFilter({ search: { params, setFilters } }: FilterProps) {
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
