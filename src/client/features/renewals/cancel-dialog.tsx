import type { Renewal } from "@shared/renewals.ts";
import { trpc } from "@/api/trpc";
import { ConfirmDialog } from "@/components/confirm-dialog";
import { hostTitle } from "@/components/hosts/host-facts";
import { notify } from "@/lib/notify";
import type { DialogState } from "@/lib/use-dialog";

/** A client withdraws an own request. */
export function CancelDialog({ subject: renewal, ...dialog }: DialogState<Renewal>) {
  const cancel = trpc.renewals.cancel.useMutation({
    onSuccess: () =>
      // The event that follows makes no second toast.
      notify.success("续费申请已取消", {
        id: `renewal.cancelled:${renewal.id}`,
        message: hostTitle(renewal.host),
      }),
  });
  return (
    <ConfirmDialog
      {...dialog}
      title="取消申请"
      description={
        <>
          <p>确定要取消这个续费申请吗？</p>
          <p>
            主机 <strong>{hostTitle(renewal.host)}</strong>，续费 {renewal.requestedDuration} 天。
          </p>
        </>
      }
      confirmLabel="取消申请"
      errorTitle="取消失败"
      cancelLabel="保留"
      onConfirm={() => cancel.mutateAsync({ id: renewal.id })}
    />
  );
}
