import type { User } from "@shared/users.ts";
import { trpc } from "@/api/trpc";
import { ConfirmDialog } from "@/components/confirm-dialog";
import { CopyableText } from "@/components/copyable-text";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import {
  Dialog,
  DialogBody,
  DialogContent,
  DialogFooter,
  DialogHeader,
} from "@/components/ui/dialog";
import { notify } from "@/lib/notify";
import type { DialogState } from "@/lib/use-dialog";
import { EditUserDialog } from "./edit-user-dialog";
import { LeaveDialog } from "./leave-dialog";
import { holdingsText, useHoldings } from "./use-holdings";

export type UserAction = "edit" | "resetPassword" | "delete" | "leave";
type UserDialogProps = DialogState<User>;
type UserDialogsProps = {
  dialog: (action: UserAction) => UserDialogProps | null;
  onDeleted?: () => void;
};

/**
 * What may be done to a user who exists; they belong to the page, because a live list may drop the
 * row.
 */
export function UserDialogs({ dialog, onDeleted = () => undefined }: UserDialogsProps) {
  const edit = dialog("edit");
  const reset = dialog("resetPassword");
  const removal = dialog("delete");
  const leaving = dialog("leave");

  return (
    <>
      {edit === null ? null : <EditUserDialog key={edit.subject.id} {...edit} />}
      {reset === null ? null : <ResetPasswordDialog key={reset.subject.id} {...reset} />}
      {removal === null ? null : <DeleteUserDialog {...removal} onDeleted={onDeleted} />}
      {leaving === null ? null : <LeaveDialog {...leaving} />}
    </>
  );
}

function DeleteUserDialog({
  subject: user,
  onDeleted,
  ...dialog
}: UserDialogProps & { onDeleted: () => void }) {
  const remove = trpc.users.delete.useMutation({ meta: { errorTitle: "删除失败" } });
  const consequences = useConsequences(user, dialog.open);
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
      onConfirm={async () => {
        await remove.mutateAsync({ id: user.id });
        onDeleted();
        notify.success("删除成功", { message: `用户 ${user.name} · @${user.username} 已删除` });
      }}
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

function ResetPasswordDialog({ subject: user, ...dialog }: UserDialogProps) {
  const reset = trpc.users.resetPassword.useMutation({
    // The answer is a secret: it goes when the dialog does.
    gcTime: 0,
    meta: { errorTitle: "重置失败" },
  });
  return (
    <>
      <ConfirmDialog
        {...dialog}
        title="重置密码"
        description={
          <>
            确定重置{" "}
            <strong>
              {user.name} · @{user.username}
            </strong>
            的密码？原密码立即失效，所有登录会话将结束，下次登录时必须修改密码。
          </>
        }
        confirmLabel="重置密码"
        tone="warning"
        // The next dialog shows the result.
        onConfirm={() => reset.mutateAsync({ id: user.id })}
      />
      <NewPasswordDialog
        user={user}
        password={reset.data?.newPassword ?? null}
        onClose={reset.reset}
      />
    </>
  );
}

/** The new password is shown only here, so neither Esc nor a click beside the dialog closes it. */
function NewPasswordDialog({
  user,
  password,
  onClose,
}: {
  user: User;
  password: string | null;
  onClose: () => void;
}) {
  return (
    <Dialog open={password !== null} onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        size="sm"
        onEscapeKeyDown={(event) => event.preventDefault()}
        onInteractOutside={(event) => event.preventDefault()}
      >
        <DialogHeader
          title="新密码"
          description={`${user.name} · @${user.username} 的密码已重置`}
        />
        <DialogBody className="grid gap-3">
          <div className="flex min-h-12 items-center justify-center rounded-md border bg-muted px-3 py-2 text-lg">
            {password === null ? null : (
              // Never cut, on the narrowest phone too.
              <CopyableText
                text={password}
                label="新密码"
                className="gap-2 [&>span]:whitespace-normal [&>span]:break-all [&>span]:text-lg"
              />
            )}
          </div>
          <Alert tone="warning">
            新密码只显示这一次，请立即复制并交给用户。用户下次登录时必须修改密码。
          </Alert>
        </DialogBody>
        <DialogFooter>
          <Button onClick={onClose}>我已保存</Button>
        </DialogFooter>
      </DialogContent>
    </Dialog>
  );
}
