import type { Renewal } from "@shared/renewals.ts";
import { CalendarClock } from "lucide-react";
import { Link } from "wouter";
import { trpc } from "@/api/trpc";
import { EmptyState } from "@/components/empty-state";
import { QueryError } from "@/components/error-state";
import { hostTitle } from "@/components/hosts/host-facts";
import { RelativeTime } from "@/components/relative-time";
import { PaymentLine } from "@/components/renewals/payment-line";
import { renewalPath } from "@/components/renewals/renewal-path";
import { PROMISE } from "@/components/renewals/renewal-promise";
import { RenewalStatusBadge } from "@/components/renewals/renewal-status-badge";
import { Card, CardAction, CardContent, CardHeader, CardTitle } from "@/components/ui/card";
import { Skeleton } from "@/components/ui/skeleton";

const SHOWN = 5;

/** What became of a client's newest requests. */
export function OwnRequests() {
  const list = useOwnRequests();
  return (
    <Card>
      <CardHeader>
        <CardTitle>我的续费申请</CardTitle>
        <CardAction>
          <Link
            href="/client/renewals"
            className="-my-1 py-1 text-sm text-primary-ink hover:underline"
          >
            全部申请
          </Link>
        </CardAction>
      </CardHeader>
      <CardContent className="pt-1 pb-2">
        <RequestRows list={list} />
      </CardContent>
    </Card>
  );
}

function useOwnRequests() {
  return trpc.renewals.list.useQuery({ limit: SHOWN });
}

function RequestRows({ list }: { list: ReturnType<typeof useOwnRequests> }) {
  if (list.isLoadingError) return <QueryError query={list} />;
  if (list.data === undefined) return <Skeleton className="my-2 h-40" />;
  if (list.data.requests.length === 0) {
    return (
      <EmptyState
        icon={CalendarClock}
        title="还没有续费申请"
        description={`在主机旁点击“申请续费”，${PROMISE}。`}
        className="py-6"
      />
    );
  }

  return (
    <ul aria-label="我的续费申请" className="divide-y">
      {list.data.requests.map((request) => (
        <RequestRow key={request.id} request={request} />
      ))}
    </ul>
  );
}

function RequestRow({ request }: { request: Renewal }) {
  const { id, host, requestedDuration, status, adminRemark, createdAt, processedAt } = request;
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 py-2">
      <Link
        href={renewalPath("client", id)}
        title={hostTitle(host)}
        className="truncate rounded-sm py-0.5 font-medium text-primary-ink hover:underline"
      >
        {hostTitle(host)}
      </Link>
      <RenewalStatusBadge status={status} />
      <p className="col-span-2 text-sm text-muted-foreground">
        <span>续费 {requestedDuration} 天 · </span>
        <RelativeTime at={processedAt ?? createdAt} />
        <span>{processedAt === null ? "提交" : "处理"}</span>
      </p>
      {status === "approved" ? (
        <div className="col-span-2 mt-1">
          <PaymentLine renewal={request} />
        </div>
      ) : null}
      {adminRemark ? (
        <p className="col-span-2 line-clamp-2 text-sm [overflow-wrap:anywhere]" title={adminRemark}>
          {adminRemark}
        </p>
      ) : null}
    </li>
  );
}
