import type { Renewal } from "@shared/renewals.ts";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { CardGrid } from "@/components/card-grid";
import { Mono } from "@/components/copyable-text";
import { DescriptionList } from "@/components/description-list";
import { ExpiryDate } from "@/components/hosts/expiry-date";
import { hostSize, hostTitle } from "@/components/hosts/host-facts";
import { PaymentLine } from "@/components/renewals/payment-line";
import { RenewalStatusBadge } from "@/components/renewals/renewal-status-badge";
import { Card, CardContent, CardFooter, CardHeader, CardTitle } from "@/components/ui/card";
import { Skeleton } from "@/components/ui/skeleton";
import { formatDate, formatDateTime } from "@/lib/format";
import { useNow } from "@/lib/use-now";
import { WaitingAge } from "./renewal-display";
import { expiryAfter, RENEWAL_LIST } from "./renewal-rules";

type OwnRenewalCardsProps = {
  renewals: readonly Renewal[] | undefined;
  isStale: boolean;
  /** The address of a request's details. */
  hrefTo: (id: string) => string;
  /** The buttons of a card. */
  children: (renewal: Renewal) => ReactNode;
};

/** A client's own requests. */
export function OwnRenewalCards(props: OwnRenewalCardsProps) {
  const { renewals, isStale, hrefTo, children } = props;
  return (
    <CardGrid
      rows={renewals}
      label={RENEWAL_LIST}
      isStale={isStale}
      className="sm:grid-cols-2 xl:grid-cols-3"
      skeleton={<Skeleton className="m-4 h-44" />}
    >
      {(renewal) => (
        <OwnRenewalCard renewal={renewal} href={hrefTo(renewal.id)}>
          {children(renewal)}
        </OwnRenewalCard>
      )}
    </CardGrid>
  );
}

type OwnRenewalCardProps = { renewal: Renewal; href: string; children: ReactNode };

function OwnRenewalCard({ renewal, href, children }: OwnRenewalCardProps) {
  const { host, requestedDuration, createdAt, assignedExpireTime } = renewal;
  const title = hostTitle(host);
  const after = expiryAfter(renewal, useNow());
  const extended = after === null ? "" : `，续费后到 ${formatDate(after)}`;

  return (
    <Card>
      <CardHeader>
        <CardTitle className="flex items-start justify-between gap-2">
          <Link
            href={href}
            className="min-w-0 truncate rounded-sm text-primary-ink hover:underline"
            title={title}
          >
            {title}
          </Link>
          <RenewalStatusBadge status={renewal.status} />
        </CardTitle>
        <p className="text-sm text-muted-foreground tabular-nums">
          <Mono>{host.ucloudId}</Mono> · {hostSize(host)}
        </p>
      </CardHeader>
      <CardContent className="grid content-start gap-2 py-2">
        <DescriptionList
          className="tabular-nums"
          items={[
            { label: "我的到期时间", value: <ExpiryDate at={assignedExpireTime} /> },
            { label: "申请续费", value: `${requestedDuration} 天${extended}` },
            { label: "提交时间", value: formatDateTime(createdAt) },
          ]}
        />
        <CardNote renewal={renewal} />
      </CardContent>
      <CardFooter className="flex-wrap justify-between">
        <WaitingAge renewal={renewal} />
        <div className="ml-auto flex flex-wrap justify-end gap-2">{children}</div>
      </CardFooter>
    </Card>
  );
}

/** What the reader should not have to open the details for. */
function CardNote({ renewal }: { renewal: Renewal }) {
  const { status, adminRemark } = renewal;
  const isPayable = status === "approved";
  if (!isPayable && !adminRemark) return null;

  return (
    <div className="grid gap-1.5 rounded-md bg-muted px-3 py-2 text-sm text-muted-foreground">
      {isPayable ? <PaymentLine renewal={renewal} /> : null}
      {/* Without padding: it would show the top of the first line that is cut. */}
      {adminRemark ? (
        <p className="line-clamp-3 whitespace-pre-wrap [overflow-wrap:anywhere]">
          管理员备注：{adminRemark}
        </p>
      ) : null}
    </div>
  );
}
