import { RENEWAL_STATUS_LABELS } from "@shared/renewal-status.ts";
import type { Renewal } from "@shared/renewals.ts";
import { useIsMutating } from "@tanstack/react-query";
import { trpc } from "@/api/trpc";
import { Alert } from "@/components/ui/alert";
import type { DialogState } from "@/lib/use-dialog";

/**
 * A dialog shows a request as it was when it opened. This is what others have made of it since; null
 * while it still has that status, and while the dialog's own act changes it. Of several requests
 * (`subject` is null) the server tells in its answer.
 */
export function useChange({
  open,
  subject,
}: Pick<DialogState<Renewal | null>, "open" | "subject">): Renewal | null {
  const isWatched = open && subject !== null;
  const { data, isFetchedAfterMount } = trpc.renewals.get.useQuery(
    { id: subject?.id ?? "" },
    { enabled: isWatched },
  );
  const isActing = useIsMutating() > 0;
  // What was read before may be older than the row from which the dialog was opened.
  if (!isWatched || isActing || !isFetchedAfterMount || data === undefined) return null;

  return data.status === subject.status ? null : data;
}

export function ChangedMeanwhile({ change }: { change: Renewal | null }) {
  if (change === null) return null;
  return (
    <Alert tone="warning" live title={changeText(change)}>
      请关闭窗口，按现在的状态处理。
    </Alert>
  );
}

/** `该申请已由“李经理”处理，现在为已批准（待付款）` */
function changeText({ status, processedBy }: Renewal): string {
  if (status === "pending") return "处理已被撤销，该申请现在为待处理";
  if (status === "cancelled") return "该申请已取消";

  const by = processedBy === null ? "" : `由“${processedBy.name}”`;
  return `该申请已${by}处理，现在为${RENEWAL_STATUS_LABELS[status]}`;
}
