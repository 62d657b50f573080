import { RENEWAL_STATUS_LABELS, type Renewal, type RenewalStatus } from "@shared/renewals.ts";
import { isClient } from "@shared/roles.ts";
import { extendedExpiry } from "@shared/time.ts";
import { ArrowRight, Clock } from "lucide-react";
import { trpc } from "@/api/trpc";
import { BatchResults, type Result } from "@/components/batch/batch-results";
import { ExpiryBadge } from "@/components/hosts/host-display";
import { Alert } from "@/components/ui/alert";
import { Badge, type BadgeTone } from "@/components/ui/badge";
import { providerExpiryWarning } from "@/features/hosts/assignment";
import { formatDate, formatTimeLeft, NOTHING } from "@/lib/format";
import { useNow } from "@/lib/use-now";
import { useCurrentUser } from "@/session/session";
import { expiryAfter, HOST_GONE, waitingSince } from "./renewal-rules";

export const renewalTones: Readonly<Record<RenewalStatus, BadgeTone>> = {
  pending: "warning",
  approved: "info",
  rejected: "danger",
  completed: "success",
  cancelled: "neutral",
};

export function RenewalStatusBadge({ status }: { status: RenewalStatus }) {
  return <Badge tone={renewalTones[status]}>{RENEWAL_STATUS_LABELS[status]}</Badge>;
}

const waitingTones = { fresh: "neutral", due: "warning", overdue: "danger" } as const;

/** The age of a pending request, compared with the promise for those who gave it. */
export function WaitingBadge({ renewal }: { renewal: Renewal }) {
  const isJudged = !isClient(useCurrentUser().role);
  const now = useNow();
  if (renewal.status !== "pending") return null;
  const { state, text } = waitingSince(renewal.createdAt, now);
  return (
    <Badge tone={isJudged ? waitingTones[state] : "neutral"}>
      <Clock />
      {isJudged && state === "overdue" ? `已超时，${text}` : text}
    </Badge>
  );
}

/** `2026-12-01` with what is left of it. */
export function ExpiryDate({ at }: { at: number | null }) {
  if (at === null) return <span className="text-subtle-foreground">{NOTHING}</span>;
  return (
    <span className="flex items-center gap-1.5 whitespace-nowrap tabular-nums">
      {formatDate(at)}
      <ExpiryBadge expiry={at} />
    </span>
  );
}

/** The present expiry and, while the request is open, the one to come. */
export function useExpiryItems(renewal: Renewal) {
  const isOwn = isClient(useCurrentUser().role);
  const after = expiryAfter(renewal, useNow());
  return [
    {
      label: isOwn ? "我的到期时间" : "用户到期时间",
      value: <ExpiryDate at={renewal.assignedExpireTime} />,
    },
    ...(after === null ? [] : [{ label: "续费后到期时间", value: formatDate(after) }]),
  ];
}

type ExtensionPreviewProps = {
  expiry: number;
  days: number;
  /** What extends it: "标记完成后". */
  when: string;
};

export function ExtensionPreview({ expiry, days, when }: ExtensionPreviewProps) {
  const now = useNow();
  return (
    <div aria-live="polite" className="rounded-md bg-muted px-3.5 py-2.5 text-sm tabular-nums">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1.5">
        <div>
          <p className="text-xs text-muted-foreground">当前到期 · {formatTimeLeft(expiry, now)}</p>
          <p>{formatDate(expiry)}</p>
        </div>
        <ArrowRight className="size-4 text-muted-foreground" />
        <div>
          <p className="text-xs text-muted-foreground">{when}到期</p>
          <p className="font-medium">{formatDate(extendedExpiry(expiry, days, now))}</p>
        </div>
      </div>
      <p className="mt-1.5 text-xs text-muted-foreground">
        {expiry < now
          ? `已经到期，从完成续费的时间起延长 ${days} 天`
          : `从当前到期时间起延长 ${days} 天`}
      </p>
    </div>
  );
}

/** The preview of a decision, with a warning where the provider's expiry comes first; why there is none for a host that is gone. */
export function CompletionPreview({ renewal, when }: { renewal: Renewal; when: string }) {
  const { assignedExpireTime, requestedDuration } = renewal;
  const now = useNow();
  // The request does not say how its host is billed, and only prepaid hosts have an expiry that counts.
  const { data: host } = trpc.hosts.get.useQuery({ id: renewal.host.id });
  const expiry = extendedExpiry(assignedExpireTime, requestedDuration, now);
  const warning = host === undefined ? null : providerExpiryWarning([host], expiry);
  if (typeof host?.goneAt === "number") {
    return (
      <Alert tone="danger" live>
        {HOST_GONE}
      </Alert>
    );
  }
  return (
    <div className="grid gap-2">
      <ExtensionPreview expiry={assignedExpireTime} days={requestedDuration} when={when} />
      {warning === null ? null : (
        <Alert tone="warning" live>
          {warning}
        </Alert>
      )}
    </div>
  );
}

export function RequestResults({ results }: { results: readonly Result[] }) {
  const done = results.filter(({ ok }) => ok).length;
  return (
    <BatchResults label="每个申请的结果" results={results}>
      <p role="status">
        成功 {done} 个，失败 {results.length - done} 个
      </p>
    </BatchResults>
  );
}
