import type { Renewal } from "@shared/renewals.ts";
import { Alert } from "@/components/ui/alert";
import { billedUntil } from "@/hosts/host-expiry";
import { formatExpiry } from "@/lib/format";
import { useNow } from "@/lib/use-now";
import { trpc } from "@/trpc";
import { ExpiryPreview } from "./expiry-preview";
import { extendedExpiry } from "./extension";

type CompletionPreviewProps = {
  renewal: Renewal;
  /** What makes it so: "标记完成后". */
  when: string;
};

/** For who decides: the end to come, and a word where the provider's own comes before it. */
export function CompletionPreview({ renewal, when }: CompletionPreviewProps) {
  const { assignedExpireTime, requestedDuration } = renewal;
  const now = useNow();
  // The request does not tell how its host is billed, and only what is prepaid has an end that counts.
  const { data: host } = trpc.hosts.get.useQuery({ id: renewal.host.id });
  const providerEnd = host === undefined ? null : billedUntil("super_admin", host);
  const isPassed = providerEnd !== null && providerEnd < extendedExpiry(assignedExpireTime, requestedDuration, now);
  return (
    <div className="grid gap-2">
      <ExpiryPreview expiry={assignedExpireTime} days={requestedDuration} now={now} when={when} />
      {isPassed ? (
        <Alert tone="warning" live>
          该主机的云端到期时间是 {formatExpiry(providerEnd, now)}
          ，早于续费后的到期时间。请在此之前到云服务商处续费，否则用户将无法继续使用。
        </Alert>
      ) : null}
    </div>
  );
}
