import type { Host } from "@shared/hosts.ts";
import { extendedExpiry } from "@shared/time.ts";
import { CalendarCheck } from "lucide-react";
import { Link } from "wouter";
import { trpc } from "@/api/trpc";
import { EmptyState } from "@/components/empty-state";
import { QueryError } from "@/components/error-state";
import { ExpiryDate } from "@/components/hosts/expiry-date";
import { HostName } from "@/components/hosts/host-name";
import { RenewalButton } from "@/components/renewals/renewal-button";
import { Card, CardAction, CardContent, CardHeader, CardTitle } from "@/components/ui/card";
import { Skeleton } from "@/components/ui/skeleton";
import { formatDate } from "@/lib/format";
import { formatNumber } from "@/lib/format-number";
import { EXPIRY_REFETCH_MS, useNow } from "@/lib/use-now";

const SHOWN = 8;

/** Until when a client has what, soonest first, with a way to more time or to the open request. */
export function OwnHosts() {
  const list = useOwnHosts();
  const total = list.data?.pagination.total;

  return (
    <Card>
      <CardHeader>
        <CardTitle>我的主机到期时间</CardTitle>
        {total !== undefined && total > SHOWN ? (
          <CardAction>
            <Link
              href="/hosts?sort=expireTime"
              className="-my-1 py-1 text-sm text-primary-ink hover:underline"
            >
              全部 {formatNumber(total)} 台
            </Link>
          </CardAction>
        ) : null}
      </CardHeader>
      <CardContent className="pt-1 pb-2">
        <OwnHostRows list={list} />
      </CardContent>
    </Card>
  );
}

function useOwnHosts() {
  return trpc.hosts.list.useQuery(
    { sort: "expireTime", limit: SHOWN },
    { refetchInterval: EXPIRY_REFETCH_MS },
  );
}

function OwnHostRows({ list }: { list: ReturnType<typeof useOwnHosts> }) {
  if (list.isLoadingError) return <QueryError query={list} />;
  if (list.data === undefined) return <Skeleton className="my-2 h-40" />;
  if (list.data.pagination.total === 0) {
    return (
      <EmptyState
        icon={CalendarCheck}
        title="还没有主机分配给您"
        description="分配后，这里显示每台主机用到哪一天。"
        className="py-6"
      />
    );
  }

  return (
    <ul aria-label="我的主机到期时间" className="divide-y">
      {list.data.hosts.map((host) => (
        <OwnHostRow key={host.id} host={host} />
      ))}
    </ul>
  );
}

function OwnHostRow({ host }: { host: Host }) {
  const now = useNow();
  const note = endNote(host, now);

  return (
    <li className="flex min-h-12 flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2">
      <div className="min-w-0 flex-1 max-sm:basis-full">
        <HostName host={host} href={`/hosts?sort=expireTime&host=${host.id}`} />
        {note === null ? null : <p className="text-sm text-muted-foreground">{note}</p>}
      </div>
      <ExpiryDate at={host.expireTime} className="min-w-40 text-sm" />
      <RenewalButton host={host} isBrief />
    </li>
  );
}

/** What the end, or an open request, means for the client. Null where the date says it all. */
function endNote({ expireTime, openRenewal }: Host, now: number): string | null {
  if (openRenewal !== null && expireTime !== null) {
    const days = openRenewal.requestedDuration;
    const until = formatDate(extendedExpiry(expireTime, days, now));
    return openRenewal.status === "approved"
      ? `续费 ${days} 天已批准，待付款，续费后到 ${until}`
      : `已申请续费 ${days} 天，续费后到 ${until}`;
  }
  if (expireTime !== null && expireTime < now) return "已过期，主机可能随时被收回；请申请续费";
  return null;
}
