import { isSuperAdmin } from "@shared/roles.ts";
import { useCurrentUser } from "@/session";
import { ExpiryCard } from "./expiry-card";
import { RegionCard } from "./region-card";
import { useHostSummary } from "./use-host-summary";

/** When hosts end and where they are, of the same answer as the numbers above; those tell of its failure. */
export function ChartsSection() {
  const { role } = useCurrentUser();
  const summary = useHostSummary();
  if (summary.isLoadingError) return null;
  return (
    <section aria-label="图表" className="grid grid-cols-[minmax(0,1fr)] gap-3 lg:grid-cols-2">
      <ExpiryCard
        months={summary.data?.expiriesByMonth}
        basis={isSuperAdmin(role) ? "按云服务商的到期时间，仅包年包月主机" : "按分配的到期时间"}
      />
      <RegionCard regions={summary.data?.regions} />
    </section>
  );
}
