import type { OwnSession } from "@shared/auth.ts";
import { trpc } from "@/api/trpc";
import { formatNumber } from "@/lib/format-number";
import { notify } from "@/lib/notify";
import { useConfirm } from "@/lib/use-confirm";
import { deviceOf } from "./device-name";

/** Both ask first. Render `confirmDialog` once. */
export function useEndSessions() {
  const { confirm, confirmDialog } = useConfirm();
  const one = trpc.auth.endSession.useMutation({
    meta: { errorTitle: "退出失败" },
    onSuccess: () => notify.success("已退出该会话"),
  });
  const others = trpc.auth.endOtherSessions.useMutation({
    meta: { errorTitle: "退出失败" },
    onSuccess: ({ ended }) =>
      notify.success("已退出其他会话", ended === 0 ? "没有其他会话" : `共 ${formatNumber(ended)} 个会话已失效`),
  });
  return {
    confirmDialog,
    askForOne(session: OwnSession): void {
      confirm({
        title: "退出该会话",
        description: (
          <>
            确定退出 <strong>{deviceOf(session.userAgent).name}</strong>（IP {session.ip}
            ）上的登录？该设备需要重新登录才能继续使用。
          </>
        ),
        confirmLabel: "退出会话",
        onConfirm: () => one.mutateAsync({ id: session.id }),
      });
    },
    askForOthers(count: number): void {
      confirm({
        title: "退出其他会话",
        description: (
          <>
            确定退出其他 <strong>{formatNumber(count)} 个会话</strong>？这些设备需要重新登录，当前会话不受影响。
          </>
        ),
        confirmLabel: "退出其他会话",
        onConfirm: () => others.mutateAsync(),
      });
    },
  };
}
