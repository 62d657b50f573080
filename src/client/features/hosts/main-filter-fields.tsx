import { HOST_STATUS_LABELS, HostStatus } from "@shared/hosts.ts";
import { knownRegions, regionName } from "@shared/regions.ts";
import { isClient } from "@shared/roles.ts";
import { Combobox } from "@/components/combobox";
import { useCurrentUser } from "@/session/session";
import { FilterField, HostFilter } from "./host-filter";
import type { HostSearch } from "./host-search";
import { UserEndFilter } from "./user-end-filter";

type FilterProps = { search: HostSearch; isInRow: boolean };

/** The filters that are always in sight on wide screens. */
export function MainFilterFields({ search, isInRow }: FilterProps) {
  const { role } = useCurrentUser();
  return (
    <>
      <StatusFilter search={search} isInRow={isInRow} />
      <RegionFilter search={search} isInRow={isInRow} />
      {isClient(role) ? <UserEndFilter search={search} isInRow={isInRow} /> : null}
    </>
  );
}

function StatusFilter({ search: { params, setFilters }, isInRow }: FilterProps) {
  return (
    <HostFilter
      label="状态"
      all="全部状态"
      inRow={isInRow ? "w-28" : undefined}
      value={params.status}
      onValueChange={(status) => setFilters({ status })}
      options={statusOptions}
    />
  );
}

function RegionFilter({ search: { params, setFilters }, isInRow }: FilterProps) {
  return (
    <FilterField label="地域" inRow={isInRow ? "w-44" : undefined}>
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

const statusOptions = HostStatus.options.map((value) => ({
  value,
  label: HOST_STATUS_LABELS[value],
}));
const regionOptions = [
  { value: "all", label: "全部地域" },
  ...knownRegions().map((region) => ({
    value: region,
    label: regionName(region),
    description: region,
  })),
];
