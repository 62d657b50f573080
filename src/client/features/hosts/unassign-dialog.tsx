import type { Host, HostUser } from "@shared/hosts.ts";
import { trpc } from "@/api/trpc";
import { ConfirmDialog } from "@/components/confirm-dialog";
import { hostTitle } from "@/components/hosts/host-facts";
import { useCancelledRequests } from "@/components/renewals/cancelled-requests";
import { notify } from "@/lib/notify";
import type { DialogState } from "@/lib/use-dialog";

export function UnassignDialog({
  host,
  subject: user,
  ...dialog
}: DialogState<HostUser> & { host: Host }) {
  const unassign = trpc.hosts.unassign.useMutation();
  const cancelled = useCancelledRequests([{ user, hosts: [host] }], { enabled: dialog.open });

  return (
    <ConfirmDialog
      {...dialog}
      title="取消分配"
      description={
        <>
          确定取消<strong>“{user.name}”</strong>对主机<strong>“{hostTitle(host)}”</strong>
          {`的使用？取消后该用户将立即看不到这台主机，${cancelled}。`}
        </>
      }
      confirmLabel="取消分配"
      errorTitle="取消失败"
      cancelLabel="保留"
      onConfirm={async () => {
        await unassign.mutateAsync({ hostId: host.id, userId: user.id });
        notify.success("已取消分配", { message: `“${user.name}”不再使用“${hostTitle(host)}”` });
      }}
    />
  );
}
