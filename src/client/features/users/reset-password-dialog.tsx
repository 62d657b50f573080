import type { User } from "@shared/users.ts";
import { trpc } from "@/api/trpc";
import { ConfirmDialog } from "@/components/confirm-dialog";
import { CopyableText } from "@/components/copyable-text";
import { KeptDialog } from "@/components/kept-dialog";
import { Alert } from "@/components/ui/alert";
import type { DialogState } from "@/lib/use-dialog";

/** Asks, then shows the new password. */
export function ResetPasswordDialog({ subject: user, ...dialog }: DialogState<User>) {
  const reset = trpc.users.resetPassword.useMutation({
    // The answer is a secret: it goes when the dialog does.
    gcTime: 0,
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
        errorTitle="重置失败"
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

type NewPasswordDialogProps = {
  user: User;
  /** Null while there is none to show. */
  password: string | null;
  onClose: () => void;
};

function NewPasswordDialog({ user, password, onClose }: NewPasswordDialogProps) {
  return (
    <KeptDialog
      open={password !== null}
      size="sm"
      title="新密码"
      description={`${user.name} · @${user.username} 的密码已重置`}
      noun="新密码"
      onDone={onClose}
    >
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
    </KeptDialog>
  );
}
