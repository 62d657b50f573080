import type { HostSummary } from "@shared/host-summary.ts";
import { HOST_STATUS_LABELS, HostStatus } from "@shared/hosts.ts";
import { Link } from "wouter";
import { STATUS_TONES } from "@/components/hosts/host-status";
import { StatusDot, solidTones } from "@/components/ui/badge";
import { Card, CardAction, CardContent, CardHeader, CardTitle } from "@/components/ui/card";
import { Skeleton } from "@/components/ui/skeleton";
import { cn } from "@/lib/cn";
import { formatNumber } from "@/lib/format-number";
import { hostsHref } from "./hosts-href";

type StatusCardProps = { numbers: HostSummary | undefined; className?: string };

/**
 * How many hosts there are and in which state; every number leads to its list. Undefined while they
 * load.
 */
export function StatusCard({ numbers, className }: StatusCardProps) {
  const { total, byStatus } = numbers ?? {};
  const present = HostStatus.options.flatMap((status) =>
    byStatus?.[status] ? [{ status, count: byStatus[status] }] : [],
  );

  return (
    <Card className={className}>
      <CardHeader>
        <CardTitle>主机状态</CardTitle>
        <CardAction>
          <Link href="/hosts" className="-my-1 py-1 text-sm text-primary-ink hover:underline">
            全部主机
          </Link>
        </CardAction>
      </CardHeader>
      <CardContent className="flex flex-col gap-4 pt-2">
        <div className="flex h-9 items-baseline gap-1.5">
          {total === undefined ? (
            <Skeleton className="h-8 w-24 self-center" />
          ) : (
            <>
              <span className="text-3xl font-semibold tabular-nums">{formatNumber(total)}</span>
              <span className="text-sm text-muted-foreground">台主机</span>
            </>
          )}
        </div>
        <div
          aria-hidden="true"
          className="flex h-2.5 shrink-0 gap-0.5 overflow-hidden rounded-full bg-secondary"
        >
          {present.map(({ status, count }) => (
            <div
              key={status}
              data-slot="share"
              data-tone={STATUS_TONES[status]}
              className={cn("min-w-1", solidTones[STATUS_TONES[status]])}
              style={{ flexGrow: count }}
            />
          ))}
        </div>
        <ul className="-mx-2 grid grid-cols-2 gap-x-4 sm:max-lg:grid-cols-3">
          {HostStatus.options.map((status) => (
            <li key={status}>
              <Link
                href={hostsHref({ status })}
                className="flex min-h-9 items-center gap-2 rounded-sm px-2 py-1 hover:bg-accent"
              >
                <StatusDot tone={STATUS_TONES[status]} />
                <span className="text-sm text-muted-foreground">{HOST_STATUS_LABELS[status]}</span>
                <span className="ml-auto font-medium tabular-nums">
                  {byStatus === undefined ? (
                    <Skeleton className="my-0.75 h-4 w-8" />
                  ) : (
                    formatNumber(byStatus[status])
                  )}
                </span>
              </Link>
            </li>
          ))}
        </ul>
      </CardContent>
    </Card>
  );
}
