import type { Renewal } from "@shared/renewals.ts";
import type { ReactNode } from "react";
import { Card, CardContent, CardFooter, CardHeader, CardTitle } from "@/components/ui/card";
import { Mono } from "@/components/ui/copyable-text";
import { DescriptionList } from "@/components/ui/description-list";
import { hostSize, hostTitle } from "@/hosts/host-tab";
import { formatDate, formatDateTime } from "@/lib/format";
import { useNow } from "@/lib/use-now";
import { expiryAfter } from "./extension";
import { ClientEnd } from "./renewal-facts";
import { RenewalStatusBadge } from "./renewal-status";
import { WaitingNote } from "./waiting-note";

type RenewalCardProps = {
  renewal: Renewal;
  /** Says who asks, where that is not the reader. */
  showsUser: boolean;
  children: ReactNode;
};

/** One request; the buttons of its foot are the children. */
export function RenewalCard({ renewal, showsUser, children }: RenewalCardProps) {
  const { host, user } = renewal;
  const now = useNow();
  const after = expiryAfter(renewal, now);
  return (
    <Card>
      <CardHeader>
        <CardTitle className="flex items-start justify-between gap-2">
          <span className="min-w-0 truncate" title={hostTitle(host)}>
            {hostTitle(host)}
          </span>
          <RenewalStatusBadge status={renewal.status} />
        </CardTitle>
        <div className="flex flex-wrap items-center justify-between gap-x-2 gap-y-1 text-sm text-muted-foreground tabular-nums">
          <span>
            <Mono>{host.ucloudId}</Mono> · {hostSize(host)}
          </span>
          <WaitingNote renewal={renewal} isJudged={showsUser} />
        </div>
      </CardHeader>
      <CardContent className="grid content-start gap-3 py-2">
        <DescriptionList
          className="tabular-nums"
          items={[
            ...(showsUser ? [{ label: "申请人", value: <Applicant user={user} /> }] : []),
            { label: "续费天数", value: `${renewal.requestedDuration} 天` },
            { label: "提交时间", value: formatDateTime(renewal.createdAt) },
            {
              label: showsUser ? "用户到期时间" : "我的到期时间",
              value: <ClientEnd renewal={renewal} />,
            },
            ...(after === null ? [] : [{ label: "续费后到期时间", value: formatDate(after) }]),
          ]}
        />
        <CardNote renewal={renewal} isOwn={!showsUser} />
      </CardContent>
      <CardFooter>{children}</CardFooter>
    </Card>
  );
}

/** Beside each other where both have room, else a line for each, cut at its end: the details have them whole. */
function Applicant({ user: { name, username } }: Pick<Renewal, "user">) {
  return (
    <span className="flex flex-wrap justify-end">
      <span className="max-w-full truncate" title={name}>
        {name}
      </span>
      <span className="max-w-full truncate" title={username}>
        （{username}）
      </span>
    </span>
  );
}

/** What the reader should not have to open the details for. */
function CardNote({ renewal: { status, adminRemark }, isOwn }: { renewal: Renewal; isOwn: boolean }) {
  const isPayable = isOwn && status === "approved";
  if (!isPayable && !adminRemark) return null;
  return (
    <div className="grid gap-1.5 rounded-md bg-muted px-3 py-2 text-sm text-muted-foreground">
      {isPayable ? <p>请联系管理员付款，确认后到期时间自动延长。</p> : null}
      {/* Without padding of its own: below the last line that is left, it would show the head of the next. */}
      {adminRemark ? <p className="line-clamp-3 [overflow-wrap:anywhere]">管理员备注：{adminRemark}</p> : null}
    </div>
  );
}
