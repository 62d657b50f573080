import type { User } from "@shared/users.ts";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { CopyableText } from "@/components/ui/copyable-text";
import { Dialog, DialogBody, DialogContent, DialogFooter, DialogHeader } from "@/components/ui/dialog";

type NewPasswordDialogProps = {
  user: User;
  /** Null keeps it closed. */
  password: string | null;
  onClose: () => void;
};

/** The only sight of the new password, so neither Esc nor a click beside the dialog closes it. */
export function NewPasswordDialog({ user, password, onClose }: NewPasswordDialogProps) {
  return (
    <Dialog open={password !== null} onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        size="sm"
        onEscapeKeyDown={(event) => event.preventDefault()}
        onInteractOutside={(event) => event.preventDefault()}
      >
        <DialogHeader title="新密码" description={`${user.name}（${user.username}）的密码已重置`} />
        <DialogBody className="grid gap-3">
          <div className="flex min-h-12 items-center justify-center rounded-md border bg-muted px-3 py-2 text-lg">
            {password === null ? null : (
              // Whole on the narrowest phone, too: a password that is cut cannot be read out.
              <CopyableText
                text={password}
                label="新密码"
                className="gap-2 [&>span]:whitespace-normal [&>span]:break-all [&>span]:text-lg"
              />
            )}
          </div>
          <Alert tone="warning">新密码只显示这一次，请立即复制并交给用户。用户下次登录时必须修改密码。</Alert>
        </DialogBody>
        <DialogFooter>
          <Button onClick={onClose}>我已保存</Button>
        </DialogFooter>
      </DialogContent>
    </Dialog>
  );
}
