import type { Renewal } from "@shared/renewals.ts";
import { isClient, isSuperAdmin } from "@shared/roles.ts";
import { TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { trpc } from "@/api/trpc";
import { ExpiryDate } from "@/components/hosts/expiry-date";
import { GapWarnings } from "@/components/hosts/gap-warnings";
import { ExtensionPreview } from "@/components/renewals/extension-preview";
import { unpaidSince, type WaitingTime, waitingSince } from "@/components/renewals/waiting-time";
import { Alert } from "@/components/ui/alert";
import { Badge } from "@/components/ui/badge";
import { formatDate } from "@/lib/format";
import { useNow } from "@/lib/use-now";
import { useCurrentUser } from "@/session/session";
import { expiryAfter, HOST_GONE } from "./renewal-rules";
import { useExtension } from "./use-extension";

/**
 * How long an open request has waited: for a decision, or since that for its payment. Only what is
 * late stands out, and only to those who could have decided.
 */
export function WaitingAge({ renewal }: { renewal: Renewal }) {
  const isJudged = !isClient(useCurrentUser().role);
  const waiting = waitingTime(renewal, useNow());
  if (waiting === null) return null;

  if (isJudged && waiting.state === "overdue") {
    return (
      <Badge tone="danger">
        <TriangleAlert role="img" aria-label="已超时" />
        {waiting.text}
      </Badge>
    );
  }
  return <span className="text-sm text-muted-foreground">{waiting.text}</span>;
}

/** A pending request is compared with the promise. Nobody promised when an approved one is paid. */
function waitingTime({ status, createdAt, processedAt }: Renewal, now: number): WaitingTime | null {
  if (status === "pending") return waitingSince(createdAt, now);
  if (status === "approved") return unpaidSince(processedAt ?? createdAt, now);
  return null;
}

/** The present end and, while the request is open, the one to come. */
export function useExpiryItems(renewal: Renewal): { label: string; value: ReactNode }[] {
  const { role } = useCurrentUser();
  const after = expiryAfter(renewal, useNow());
  const hasEnded = useHasAssignmentEnded(renewal);

  const present = {
    label: isClient(role) ? "我的到期时间" : "用户到期时间",
    value: <PresentEnd renewal={renewal} hasEnded={hasEnded} />,
  };
  if (after === null) return [present];

  return [present, { label: "续费后到期时间", value: formatDate(after) }];
}

function PresentEnd({ renewal, hasEnded }: { renewal: Renewal; hasEnded: boolean }) {
  if (hasEnded) return <Badge>分配已结束</Badge>;
  return <ExpiryDate at={renewal.assignedExpireTime} />;
}

type RequestedDaysProps = {
  renewal: Renewal;
  /** Before the days, where no head of a column says what they are. */
  label?: string;
};

/** The days asked for, with the end to come while the request is open. */
export function RequestedDays({ renewal, label = "" }: RequestedDaysProps) {
  const after = expiryAfter(renewal, useNow());

  return (
    <div className="whitespace-nowrap tabular-nums">
      <p className="font-medium">{`${label}${renewal.requestedDuration} 天`}</p>
      {after === null ? null : <p>{`到 ${formatDate(after)}`}</p>}
    </div>
  );
}

type EndOfRequestProps = {
  renewal: Renewal;
  /** Before the end, where no head of a column says what it is. */
  label?: string;
};

/** The client's present end; of a request that was cancelled, whether the host was taken back. */
export function EndOfRequest({ renewal, label = "" }: EndOfRequestProps) {
  const hasEnded = useHasAssignmentEnded(renewal);
  return (
    <div className="text-sm tabular-nums">
      {hasEnded ? null : <span>{label}</span>}
      <PresentEnd renewal={renewal} hasEnded={hasEnded} />
    </div>
  );
}

/**
 * A host that is taken back takes its open requests along. The request itself does not say so: the
 * host names who has it. Only the super admin sees every host.
 */
function useHasAssignmentEnded({ status, host, user }: Renewal): boolean {
  const { role } = useCurrentUser();
  const isAsked = status === "cancelled" && isSuperAdmin(role);
  const { data } = trpc.hosts.get.useQuery({ id: host.id }, { enabled: isAsked });
  if (!isAsked || data === undefined) return false;

  return !data.users.some(({ id }) => id === user.id);
}

/**
 * The preview of a decision, with a warning where the provider's expiry comes first; why there is
 * none for a host that is gone.
 */
export function CompletionPreview({ renewal, when }: { renewal: Renewal; when: string }) {
  const { end, host, isGone } = useExtension(renewal);
  if (isGone) {
    return (
      <Alert tone="danger" live>
        {HOST_GONE}
      </Alert>
    );
  }

  return (
    <div>
      <ExtensionPreview
        expiry={renewal.assignedExpireTime}
        days={renewal.requestedDuration}
        when={when}
      />
      <div className="grid *:mt-2" aria-live="polite">
        {host === undefined ? null : <GapWarnings promised={[{ host, until: end }]} />}
      </div>
    </div>
  );
}
