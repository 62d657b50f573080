import { isClient } from "@shared/roles.ts";
import { Inbox } from "lucide-react";
import { StatCard } from "@/components/ui/stat-card";
import { useCurrentUser } from "@/session";
import { trpc } from "@/trpc";
import { ExpiredStat, ExpiringStats } from "./expiry-stats";
import { NumbersFailure } from "./numbers-failure";
import { StatusCard } from "./status-card";
import { useHostSummary } from "./use-host-summary";

/** What an admin or a client looks at first: the hosts of the own clients, or the own ones, by the end of their assignments. */
export function OwnNumbers() {
  const { role } = useCurrentUser();
  const summary = useHostSummary();
  const numbers = summary.data;
  const pending = trpc.renewals.list.useQuery({ page: 1, limit: 1, status: "pending" });
  if (summary.isLoadingError) {
    return <NumbersFailure error={summary.error} onRetry={() => summary.refetch()} isRetrying={summary.isFetching} />;
  }
  return (
    <section aria-label="概况" className="grid gap-3 lg:grid-cols-2">
      <StatusCard total={numbers?.total} counts={numbers?.byStatus} />
      <div className="grid grid-cols-2 gap-3">
        <ExpiringStats numbers={numbers} />
        <ExpiredStat numbers={numbers} />
        <StatCard
          label="待处理续费"
          value={pending.isError ? "" : pending.data?.pagination.total}
          icon={Inbox}
          href={isClient(role) ? "/client/renewals?status=pending" : "/admin/renewals?status=pending"}
        />
      </div>
    </section>
  );
}
