import { isClient } from "@shared/roles.ts";
import { useCurrentUser } from "@/session/session";
import { daysIn, expiryOptions } from "./expiry-options";
import { HostFilter } from "./host-filter";
import type { HostSearch } from "./host-search";

type UserEndFilterProps = { search: HostSearch; isInRow: boolean };

export function UserEndFilter({ search: { params, setFilters }, isInRow }: UserEndFilterProps) {
  const { role } = useCurrentUser();
  const label = isClient(role) ? "到期时间" : "用户到期";
  return (
    <HostFilter
      label={label}
      all={isClient(role) ? "到期不限" : "用户到期不限"}
      inRow={isInRow ? "w-44" : undefined}
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
