import { outcomeText, type Renewal } from "@shared/renewals.ts";
import { Alert } from "@/components/ui/alert";
import { trpc } from "@/trpc";

/**
 * The request as it stands where somebody else has decided or cancelled it since the dialog was opened, else null. `isSent`: what
 * happens to it from then on is the reader's own doing.
 */
export function useOvertaken({ id, status }: Renewal, isSent: boolean): Renewal | null {
  const { data: present } = trpc.renewals.get.useQuery({ id }, { staleTime: 0 });
  return isSent || present === undefined || present.status === status ? null : present;
}

/** As a banner above what scrolls, so that whoever writes below reads it too. */
export function OvertakenNote({ renewal, look }: { renewal: Renewal; look: "box" | "banner" }) {
  return (
    <Alert tone="warning" look={look} live title={outcomeText(renewal)} className="shrink-0">
      {renewal.status === "cancelled" ? "用户已撤回申请，或主机的分配已结束。" : "无需再次处理。"}
    </Alert>
  );
}
