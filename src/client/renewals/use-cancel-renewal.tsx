import type { Renewal } from "@shared/renewals.ts";
import { failureCode } from "@/failure";
import { hostTitle } from "@/hosts/host-tab";
import { useConfirm } from "@/lib/use-confirm";
import { trpc } from "@/trpc";
import { announceCancelled } from "./announce";

/** Asks, then takes the request back. Render `confirmDialog` once. */
export function useCancelRenewal(renewal: Renewal) {
  const { confirm, confirmDialog } = useConfirm();
  const mutation = trpc.renewals.cancel.useMutation({
    meta: { errorTitle: "取消失败" },
    onSuccess: () => announceCancelled(renewal),
  });

  function ask(): void {
    confirm({
      title: "取消申请",
      description: (
        <>
          <p>确定要取消这个续费申请吗？</p>
          <p>
            主机 <strong>{hostTitle(renewal.host)}</strong>，续费 {renewal.requestedDuration} 天。
          </p>
        </>
      ),
      confirmLabel: "取消申请",
      cancelLabel: "保留",
      onConfirm: () =>
        mutation.mutateAsync({ id: renewal.id }).catch((error: unknown) => {
          // What has been decided meanwhile leaves nothing to ask about.
          if (failureCode(error) !== "STATE_CONFLICT") throw error;
        }),
    });
  }

  return { ask, confirmDialog };
}
