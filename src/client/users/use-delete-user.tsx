import type { Role } from "@shared/roles.ts";
import type { User } from "@shared/users.ts";
import { notify } from "@/lib/notify";
import { useConfirm } from "@/lib/use-confirm";
import { trpc } from "@/trpc";

/** Asks, saying what ends with the user, then deletes. Render `confirmDialog` once. */
export function useDeleteUser() {
  const { confirm, confirmDialog } = useConfirm();
  const mutation = trpc.users.delete.useMutation({ meta: { errorTitle: "删除失败" } });

  function ask(user: User): void {
    confirm({
      title: "删除用户",
      description: (
        <>
          <p>
            确定删除用户{" "}
            <strong>
              {user.name}（{user.username}）
            </strong>
            ？此操作无法撤销：
          </p>
          <ul className="mt-2 grid list-disc gap-1 pl-5 text-sm">
            {consequences[user.role].map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </>
      ),
      confirmLabel: "删除用户",
      onConfirm: async () => {
        await mutation.mutateAsync({ id: user.id });
        notify.success("删除成功", `用户 ${user.name}（${user.username}）已删除`);
      },
    });
  }

  return { ask, confirmDialog };
}

const SESSIONS_END = "所有登录会话立即结束，无法再登录";
const HISTORY_STAYS = "历史记录中仍保留其姓名";

const consequences: Readonly<Record<Role, readonly string[]>> = {
  super_admin: [SESSIONS_END, HISTORY_STAYS],
  admin: [SESSIONS_END, "其负责的C端用户将变为“未分配管理员”", HISTORY_STAYS],
  client: [SESSIONS_END, "已分配的主机全部取消分配", "待处理的续费申请全部取消", HISTORY_STAYS],
};
