import { isClient } from "@shared/roles.ts";
import { EXPIRING_SOON_DAYS } from "@shared/time.ts";
import { CalendarClock, CalendarRange, CalendarX, Inbox } from "lucide-react";
import { StatCard } from "@/components/ui/stat-card";
import { useCurrentUser } from "@/session";
import { trpc } from "@/trpc";
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
        <StatCard
          label={`${EXPIRING_SOON_DAYS} 天内到期`}
          value={numbers?.expiringSoon}
          icon={CalendarClock}
          tone={numbers?.expiringSoon ? "warning" : "neutral"}
          href={`/hosts?expiring=${EXPIRING_SOON_DAYS}`}
        />
        <StatCard
          label="30 天内到期"
          value={numbers?.expiringMonth}
          icon={CalendarRange}
          tone={numbers?.expiringMonth ? "info" : "neutral"}
          href="/hosts?expiring=30"
        />
        <StatCard
          label="已过期"
          value={numbers?.expired}
          icon={CalendarX}
          tone={numbers?.expired ? "danger" : "neutral"}
          href="/hosts?expired=true"
        />
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
