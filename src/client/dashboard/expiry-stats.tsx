import type { HostSummary } from "@shared/host-summary.ts";
import { EXPIRING_SOON_DAYS } from "@shared/time.ts";
import { CalendarClock, CalendarRange, CalendarX } from "lucide-react";
import { StatCard } from "@/components/ui/stat-card";

type ExpiryStatsProps = { numbers: HostSummary | undefined };

/** How many hosts end soon, each number a link to them. */
export function ExpiringStats({ numbers }: ExpiryStatsProps) {
  return (
    <>
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
    </>
  );
}

/** How many hosts have ended. */
export function ExpiredStat({ numbers }: ExpiryStatsProps) {
  return (
    <StatCard
      label="已过期"
      value={numbers?.expired}
      icon={CalendarX}
      tone={numbers?.expired ? "danger" : "neutral"}
      href="/hosts?expired=true"
    />
  );
}
