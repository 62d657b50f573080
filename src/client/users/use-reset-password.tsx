import type { User } from "@shared/users.ts";
import { useState } from "react";
import { notify } from "@/lib/notify";
import { useConfirm } from "@/lib/use-confirm";
import { trpc } from "@/trpc";

/** Asks, resets, and holds the new password until `forget`. Render `confirmDialog` once. */
export function useResetPassword() {
  const { confirm, confirmDialog } = useConfirm();
  const [user, setUser] = useState<User | null>(null);
  const mutation = trpc.users.resetPassword.useMutation({
    // The answer is a secret: it goes when the dialog does.
    gcTime: 0,
    meta: { errorTitle: "重置失败" },
  });

  function ask(asked: User): void {
    setUser(asked);
    confirm({
      title: "重置密码",
      description: (
        <>
          确定重置{" "}
          <strong>
            {asked.name}（{asked.username}）
          </strong>
          的密码？原密码立即失效，所有登录会话将结束，下次登录时必须修改密码。
        </>
      ),
      confirmLabel: "重置密码",
      tone: "warning",
      onConfirm: async () => {
        await mutation.mutateAsync({ id: asked.id });
        notify.success("密码重置成功", `请把新密码交给 ${asked.name}`);
      },
    });
  }

  return { ask, confirmDialog, user, newPassword: mutation.data?.newPassword ?? null, forget: mutation.reset };
}
