import type { User } from "@shared/users.ts";
import { trpc } from "@/api/trpc";
import { ConfirmDialog } from "@/components/confirm-dialog";
import { notify } from "@/lib/notify";
import type { DialogState } from "@/lib/use-dialog";

/** For somebody who has lost the phone and the recovery codes. */
export function ResetSecondFactorDialog({ subject: user, ...dialog }: DialogState<User>) {
  const reset = trpc.users.resetSecondFactor.useMutation();

  async function resetSecondFactor(): Promise<void> {
    await reset.mutateAsync({ id: user.id });
    notify.success("两步验证已重置", {
      message: `用户 ${user.name} · @${user.username} 现在只用密码登录`,
    });
  }

  return (
    <ConfirmDialog
      {...dialog}
      title="重置两步验证"
      description={
        <>
          确定关闭{" "}
          <strong>
            {user.name} · @{user.username}
          </strong>{" "}
          的两步验证？所有登录会话将结束，之后只用密码登录，直到用户重新开启。请先确认是本人提出的。
        </>
      }
      confirmLabel="重置两步验证"
      errorTitle="重置两步验证失败"
      tone="warning"
      onConfirm={resetSecondFactor}
    />
  );
}
