import type { OwnSession } from "@shared/auth.ts";
import { failureCode } from "@/failure";
import { notifyFailure } from "@/failure-notice";
import { formatNumber } from "@/lib/format-number";
import { notify } from "@/lib/notify";
import { useConfirm } from "@/lib/use-confirm";
import { trpc } from "@/trpc";
import { deviceOf } from "./device-name";

/** Both ask first. Render `confirmDialog` once. */
export function useEndSessions() {
  const utils = trpc.useUtils();
  const { confirm, confirmDialog } = useConfirm();
  const readAgain = () => utils.auth.sessions.invalidate();
  const one = trpc.auth.endSession.useMutation({
    onSuccess() {
      notify.success("已退出该会话");
      return readAgain();
    },
    onError(error) {
      // It has ended by itself meanwhile, or goes on under a new token: the list says which.
      if (failureCode(error) === "NOT_FOUND") void readAgain();
      notifyFailure("退出失败", error);
    },
  });
  const others = trpc.auth.endOtherSessions.useMutation({
    onSuccess({ ended }) {
      notify.success("已退出其他会话", ended === 0 ? "没有其他会话" : `共 ${formatNumber(ended)} 个会话已失效`);
      return readAgain();
    },
    onError: (error) => notifyFailure("退出失败", error),
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
