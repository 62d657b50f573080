import { isOpenRenewal } from "@shared/renewal-status.ts";
import {
  RENEWAL_SORT_LABELS,
  type Renewal,
  type RenewalDecision,
  RenewalSort,
} from "@shared/renewals.ts";
import { isClient } from "@shared/roles.ts";
import type { ComponentProps, ReactNode } from "react";
import { Link } from "wouter";
import { CardGrid } from "@/components/card-grid";
import { Mono } from "@/components/copyable-text";
import { type Column, DataTable } from "@/components/data-table";
import { DescriptionList } from "@/components/description-list";
import { ExpiryDate } from "@/components/hosts/expiry-date";
import { hostSize, hostTitle } from "@/components/hosts/host-display";
import { HostName } from "@/components/hosts/host-name";
import { PersonName } from "@/components/person-name";
import { RenewalStatusBadge } from "@/components/renewals/renewal-status-badge";
import { Button, type ButtonProps } from "@/components/ui/button";
import { Card, CardContent, CardFooter, CardHeader, CardTitle } from "@/components/ui/card";
import { Skeleton } from "@/components/ui/skeleton";
import { cn } from "@/lib/cn";
import { formatDate, formatDateTime } from "@/lib/format";
import { useIsLargeScreen } from "@/lib/use-media";
import { useNow } from "@/lib/use-now";
import { useCurrentUser } from "@/session/session";
import { useExpiryItems, WaitingBadge } from "./renewal-display";
import { expiryAfter } from "./renewal-rules";
import type { StatusFilter } from "./renewal-search";

type OnDecide = (decision: RenewalDecision, renewal: Renewal) => void;

type RenewalRowsProps = Pick<
  ComponentProps<typeof DataTable<Renewal>>,
  "rows" | "isStale" | "sorting" | "selection"
> & {
  /** Of the rows. */
  status: StatusFilter;
  /** The address of a request's details. */
  hrefTo: (id: string) => string;
  /** Null for those who only read. */
  onDecide: OnDecide | null;
};

/** A table, or cards where it has no room. */
export function RenewalRows({ status, hrefTo, onDecide, ...table }: RenewalRowsProps) {
  if (useIsLargeScreen()) {
    const columns = renewalColumns(status, hrefTo, onDecide);
    return (
      <DataTable
        columns={columns}
        label={LABEL}
        rowHref={(renewal) => hrefTo(renewal.id)}
        {...table}
      />
    );
  }
  return (
    <RenewalCards renewals={table.rows} isStale={table.isStale} hrefTo={hrefTo}>
      {(renewal) => (
        <>
          {onDecide === null ? null : <DecisionButton renewal={renewal} onDecide={onDecide} />}
          {onDecide === null ? null : <CloseButton renewal={renewal} onDecide={onDecide} />}
          <DetailsLink href={hrefTo(renewal.id)} />
        </>
      )}
    </RenewalCards>
  );
}

const LABEL = "续费申请列表";

/** What gives way between `lg` and `xl`, so that the submission time stays in sight. */
const SPARE = "not-print:max-xl:hidden";

function renewalColumns(
  shownStatus: StatusFilter,
  hrefTo: RenewalRowsProps["hrefTo"],
  onDecide: OnDecide | null,
): Column<Renewal>[] {
  return [
    {
      id: "user",
      header: "申请人",
      className: "w-[16%] min-w-32 max-w-0",
      cell: ({ user }) => <PersonName person={user} href={`/users/${user.id}`} />,
    },
    {
      id: "host",
      header: "主机",
      className: "w-[22%] min-w-36 max-w-0",
      cell: ({ host }) => (
        <HostName host={host} href={`/hosts?host=${host.id}`}>
          <p className="truncate text-sm text-muted-foreground tabular-nums">
            <Mono>{host.ucloudId}</Mono> · {hostSize(host)}
          </p>
        </HostName>
      ),
    },
    {
      id: "status",
      header: "状态",
      className: shownStatus === "all" ? "" : SPARE,
      cell: ({ status }) => <RenewalStatusBadge status={status} />,
    },
    {
      id: "days",
      header: "续费天数",
      align: "right",
      className: cn("tabular-nums", SPARE),
      cell: ({ requestedDuration }) => `${requestedDuration} 天`,
    },
    {
      id: "expiry",
      header: RENEWAL_SORT_LABELS.expireTime,
      sort: RenewalSort.enum.expireTime,
      className: "max-xl:[&_span]:flex-wrap",
      cell: (renewal) => <ExpiryCell renewal={renewal} />,
    },
    {
      id: "created",
      header: RENEWAL_SORT_LABELS.createdAt,
      sort: RenewalSort.enum.createdAt,
      cell: (renewal) => (
        <div className="grid gap-0.5 text-sm whitespace-nowrap tabular-nums">
          {formatDateTime(renewal.createdAt)}
          <WaitingBadge renewal={renewal} />
        </div>
      ),
    },
    {
      id: "actions",
      header: "操作",
      align: "right",
      pinned: "right",
      cell: (renewal) => (
        <div className="flex justify-end gap-1.5">
          {onDecide === null ? null : (
            <DecisionButton renewal={renewal} onDecide={onDecide} size="sm" />
          )}
          <DetailsLink
            href={hrefTo(renewal.id)}
            size="sm"
            variant="ghost"
            // The word, not the button's edge, is aligned with the head.
            className="-mr-3"
            aria-label={`${renewal.user.name} 的 ${hostTitle(renewal.host)} 续费申请详情`}
          />
        </div>
      ),
    },
  ];
}

/** To the details of a request, drawn as a button. */
export function DetailsLink({
  href,
  "aria-label": label,
  ...button
}: ButtonProps & { href: string }) {
  return (
    <Button variant="outline" {...button} asChild>
      <Link href={href} aria-label={label}>
        详情
      </Link>
    </Button>
  );
}

type DecisionButtonProps = { renewal: Renewal; onDecide: OnDecide; size?: "sm" | "md" };

/**
 * What the super admin may do next with a request; nothing for a closed one. `data-request` is for
 * the keys of the queue.
 */
export function DecisionButton({ renewal, onDecide, size = "md" }: DecisionButtonProps) {
  if (!isOpenRenewal(renewal)) return null;
  const isPending = renewal.status === "pending";

  return (
    <Button
      size={size}
      data-request={renewal.id}
      onClick={() => onDecide(isPending ? "approved" : "completed", renewal)}
    >
      {isPending ? "处理" : "标记完成"}
    </Button>
  );
}

/** For an approved request that is not paid for. */
export function CloseButton({ renewal, onDecide }: Omit<DecisionButtonProps, "size">) {
  if (renewal.status !== "approved") return null;
  return (
    <Button
      variant="outline"
      className="text-danger-ink"
      onClick={() => onDecide("rejected", renewal)}
    >
      关闭申请
    </Button>
  );
}

function ExpiryCell({ renewal }: { renewal: Renewal }) {
  const after = expiryAfter(renewal, useNow());
  return (
    <div className="text-sm tabular-nums">
      <ExpiryDate at={renewal.assignedExpireTime} />
      {after === null ? null : (
        <p className="whitespace-nowrap text-muted-foreground">续费后 {formatDate(after)}</p>
      )}
    </div>
  );
}

type RenewalCardsProps = {
  renewals: readonly Renewal[] | undefined;
  isStale: boolean | undefined;
  hrefTo: RenewalRowsProps["hrefTo"];
  children: (renewal: Renewal) => ReactNode;
};

export function RenewalCards({ renewals, isStale = false, hrefTo, children }: RenewalCardsProps) {
  return (
    <CardGrid
      rows={renewals}
      label={LABEL}
      isStale={isStale}
      className="sm:grid-cols-2 xl:grid-cols-3"
      skeleton={<Skeleton className="m-4 h-55" />}
    >
      {(renewal) => (
        <RenewalCard renewal={renewal} href={hrefTo(renewal.id)}>
          {children(renewal)}
        </RenewalCard>
      )}
    </CardGrid>
  );
}

type RenewalCardProps = { renewal: Renewal; href: string; children: ReactNode };

function RenewalCard({ renewal, href, children }: RenewalCardProps) {
  const isOwn = isClient(useCurrentUser().role);
  const { host, user } = renewal;
  const expiryItems = useExpiryItems(renewal);

  return (
    <Card>
      <CardHeader>
        <CardTitle className="flex items-start justify-between gap-2">
          <Link
            href={href}
            className="min-w-0 truncate rounded-sm text-primary-ink hover:underline"
            title={hostTitle(host)}
          >
            {hostTitle(host)}
          </Link>
          <RenewalStatusBadge status={renewal.status} />
        </CardTitle>
        <div className="flex flex-wrap items-center justify-between gap-x-2 gap-y-1 text-sm text-muted-foreground tabular-nums">
          <span>
            <Mono>{host.ucloudId}</Mono> · {hostSize(host)}
          </span>
          <WaitingBadge renewal={renewal} />
        </div>
      </CardHeader>
      <CardContent className="grid content-start gap-3 py-2">
        <DescriptionList
          className="tabular-nums"
          items={[
            ...(isOwn ? [] : [{ label: "申请人", value: `${user.name}（${user.username}）` }]),
            { label: "续费天数", value: `${renewal.requestedDuration} 天` },
            { label: "提交时间", value: formatDateTime(renewal.createdAt) },
            ...expiryItems,
          ]}
        />
        <CardNote renewal={renewal} />
      </CardContent>
      <CardFooter>{children}</CardFooter>
    </Card>
  );
}

/** What the reader should not have to open the details for. */
function CardNote({ renewal: { status, adminRemark } }: { renewal: Renewal }) {
  const isPayable = isClient(useCurrentUser().role) && status === "approved";
  if (!isPayable && !adminRemark) return null;

  return (
    <div className="grid gap-1.5 rounded-md bg-muted px-3 py-2 text-sm text-muted-foreground">
      {isPayable ? <p>请联系管理员付款，确认后到期时间自动延长。</p> : null}
      {/* Without padding: it would show the top of the first line that is cut. */}
      {adminRemark ? (
        <p className="line-clamp-3 whitespace-pre-wrap [overflow-wrap:anywhere]">
          管理员备注：{adminRemark}
        </p>
      ) : null}
    </div>
  );
}
