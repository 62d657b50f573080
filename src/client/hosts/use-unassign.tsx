import type { Host, HostUser } from "@shared/hosts.ts";
import { notify } from "@/lib/notify";
import { useConfirm } from "@/lib/use-confirm";
import { trpc } from "@/trpc";
import { hostTitle } from "./host-tab";

/** Asks, naming host and user, then ends the assignment. Render `confirmDialog` once. */
export function useUnassign() {
  const utils = trpc.useUtils();
  const { confirm, confirmDialog } = useConfirm();
  const mutation = trpc.hosts.unassign.useMutation({
    meta: { errorTitle: "取消失败" },
    onSuccess: (host) => utils.hosts.get.setData({ id: host.id }, host),
  });

  function unassign(host: Host, user: HostUser): void {
    confirm({
      title: "取消分配",
      description: (
        <>
          确定取消 <strong>{user.name}</strong> 对主机 <strong>{hostTitle(host)}</strong>{" "}
          的使用？取消后该用户将立即看不到这台主机，待处理的续费申请也会一并取消。
        </>
      ),
      confirmLabel: "取消分配",
      cancelLabel: "保留",
      onConfirm: async () => {
        await mutation.mutateAsync({ hostId: host.id, userId: user.id });
        notify.success("已取消分配", `${user.name} 不再使用 ${hostTitle(host)}`);
      },
    });
  }

  return { unassign, confirmDialog };
}
