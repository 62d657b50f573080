import type { Host } from "@shared/hosts.ts";
import { isClient } from "@shared/roles.ts";
import { CalendarCheck } from "lucide-react";
import { Link } from "wouter";
import { trpc } from "@/api/trpc";
import { EmptyState } from "@/components/empty-state";
import { QueryError } from "@/components/error-state";
import { ExpiryBadge, firstExpiringUser } from "@/components/hosts/host-display";
import { HostName } from "@/components/hosts/host-name";
import { RenewalButton } from "@/components/renewals/renewal-button";
import { Card, CardAction, CardContent, CardHeader, CardTitle } from "@/components/ui/card";
import { Skeleton } from "@/components/ui/skeleton";
import { formatDate } from "@/lib/format";
import { useCurrentUser } from "@/session/session";

const SHOWN = 8;

/**
 * The hosts whose assignments expire first: a client's own, with a way to ask for more time, or
 * those of an admin's clients.
 */
export function NextExpiries() {
  const { role } = useCurrentUser();
  const list = useNextExpiries();
  const total = list.data?.pagination.total;

  return (
    <Card>
      <CardHeader>
        <CardTitle>{isClient(role) ? "我的主机到期时间" : "最早到期的主机"}</CardTitle>
        {total !== undefined && total > SHOWN ? (
          <CardAction>
            <Link
              href="/hosts?sort=assignedExpireTime"
              className="-my-1 py-1 text-sm text-primary-ink hover:underline"
            >
              全部 {total} 台
            </Link>
          </CardAction>
        ) : null}
      </CardHeader>
      <CardContent className="pt-1 pb-2">
        <ExpiryRows list={list} />
      </CardContent>
    </Card>
  );
}

function useNextExpiries() {
  return trpc.hosts.list.useQuery({ sort: "assignedExpireTime", limit: SHOWN });
}

function ExpiryRows({ list }: { list: ReturnType<typeof useNextExpiries> }) {
  if (list.isLoadingError) return <QueryError query={list} />;
  if (list.data === undefined) return <Skeleton className="my-2 h-40" />;

  const { hosts, pagination } = list.data;
  if (pagination.total === 0) {
    return <EmptyState icon={CalendarCheck} title="暂无主机" className="py-6" />;
  }

  return (
    <ul className="divide-y">
      {hosts.map((host) => (
        <li key={host.id}>
          <ExpiryRow host={host} />
        </li>
      ))}
    </ul>
  );
}

function ExpiryRow({ host }: { host: Host }) {
  const { role } = useCurrentUser();
  const user = firstExpiringUser(host);

  return (
    <div className="flex min-h-12 flex-wrap items-center justify-between gap-x-4 gap-y-1 py-1.5">
      <div className="min-w-0 flex-1 max-sm:basis-full">
        <HostName host={host} href={`/hosts?sort=assignedExpireTime&host=${host.id}`}>
          {isClient(role) || user === undefined ? null : (
            <Link href={`/users/${user.id}`} className="text-sm text-primary-ink hover:underline">
              {user.name}
            </Link>
          )}
        </HostName>
      </div>
      <span className="grid grid-cols-[auto_6.5rem] items-center gap-2 text-sm whitespace-nowrap tabular-nums">
        {formatDate(user?.assignedExpireTime)}
        <ExpiryBadge expiry={user?.assignedExpireTime ?? null} />
      </span>
      {isClient(role) ? <RenewalButton host={host} /> : null}
    </div>
  );
}
