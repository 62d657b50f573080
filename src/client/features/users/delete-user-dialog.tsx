import type { User } from "@shared/users.ts";
import { trpc } from "@/api/trpc";
import { ConfirmDialog } from "@/components/confirm-dialog";
import { notify } from "@/lib/notify";
import type { DialogState } from "@/lib/use-dialog";
import { holdingsText, useHoldings } from "./use-holdings";

type DeleteUserDialogProps = DialogState<User> & { onDeleted: () => void };

export function DeleteUserDialog({ subject: user, onDeleted, ...dialog }: DeleteUserDialogProps) {
  const deletion = trpc.users.delete.useMutation();
  const consequences = useConsequences(user, dialog.open);

  async function deleteUser(): Promise<void> {
    await deletion.mutateAsync({ id: user.id });
    onDeleted();
    notify.success("删除成功", { message: `用户 ${user.name} · @${user.username} 已删除` });
  }

  return (
    <ConfirmDialog
      {...dialog}
      title="删除用户"
      description={
        <>
          <p>
            确定删除用户{" "}
            <strong>
              {user.name} · @{user.username}
            </strong>
            ？此操作无法撤销：
          </p>
          <ul className="mt-2 grid list-disc gap-1 pl-5 text-sm">
            {consequences.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </>
      }
      confirmLabel="删除用户"
      errorTitle="删除失败"
      onConfirm={deleteUser}
    />
  );
}

const SESSIONS_END = "所有登录会话立即结束，无法再登录";
const HISTORY_STAYS = "历史记录中仍保留其姓名";

/** What ends with an account. For a client it is counted: `12 台主机、1 个待处理的续费申请`. */
function useConsequences({ id, role }: User, isShown: boolean): readonly string[] {
  const isClient = role === "client";
  const holdings = useHoldings(id, { enabled: isClient && isShown });

  if (role === "admin") {
    return [SESSIONS_END, "其负责的C端用户将变为“未分配管理员”", HISTORY_STAYS];
  }
  if (!isClient) return [SESSIONS_END, HISTORY_STAYS];
  if (holdings === undefined) {
    return [SESSIONS_END, "已分配的主机和未完成的续费申请一并结束", HISTORY_STAYS];
  }

  const ending = holdingsText(holdings);
  const loss = ending === null ? "没有主机和未完成的续费申请" : `一并结束：${ending}`;
  return [SESSIONS_END, loss, HISTORY_STAYS];
}
