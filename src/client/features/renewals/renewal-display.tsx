import type { Renewal } from "@shared/renewals.ts";
import { isClient } from "@shared/roles.ts";
import { extendedExpiry } from "@shared/time.ts";
import { Clock } from "lucide-react";
import { trpc } from "@/api/trpc";
import { ExpiryDate } from "@/components/hosts/expiry-date";
import { providerExpiryWarning } from "@/components/hosts/provider-expiry-warning";
import { ExtensionPreview } from "@/components/renewals/extension-preview";
import { waitingSince } from "@/components/renewals/waiting-time";
import { Alert } from "@/components/ui/alert";
import { Badge } from "@/components/ui/badge";
import { formatDate } from "@/lib/format";
import { useNow } from "@/lib/use-now";
import { useCurrentUser } from "@/session/session";
import { expiryAfter, HOST_GONE } from "./renewal-rules";

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

/**
 * The preview of a decision, with a warning where the provider's expiry comes first; why there is
 * none for a host that is gone.
 */
export function CompletionPreview({ renewal, when }: { renewal: Renewal; when: string }) {
  const { assignedExpireTime, requestedDuration } = renewal;
  const now = useNow();
  // The request does not say how its host is billed, and only prepaid hosts have an expiry that
  // counts.
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
