import type { Renewal } from "@shared/renewals.ts";
import { extendedExpiry } from "@shared/time.ts";
import { Alert } from "@/components/ui/alert";
import { providerEndWarning } from "@/hosts/assignment-warnings";
import { useNow } from "@/lib/use-now";
import { trpc } from "@/trpc";
import { ExpiryPreview } from "./expiry-preview";

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
  const end = extendedExpiry(assignedExpireTime, requestedDuration, now);
  const warning = host === undefined ? null : providerEndWarning([host], end);
  return (
    <div className="grid gap-2">
      <ExpiryPreview expiry={assignedExpireTime} days={requestedDuration} now={now} when={when} />
      {warning === null ? null : (
        <Alert tone="warning" live>
          {warning}
        </Alert>
      )}
    </div>
  );
}
