import type { CurrentUser } from "@shared/users.ts";
import { SetUpSteps } from "@/components/second-factor/set-up-steps";
import { Dialog, DialogBody, DialogContent, DialogHeader } from "@/components/ui/dialog";
import type { DialogState } from "@/lib/use-dialog";

type SetUpDialogProps = DialogState<CurrentUser> & {
  onEnabled: (recoveryCodes: readonly string[]) => void;
};

/** Another dialog shows the recovery codes. */
export function SetUpDialog({ subject: user, onEnabled, ...dialog }: SetUpDialogProps) {
  return (
    <Dialog {...dialog}>
      <DialogContent size="md" onInteractOutside={(event) => event.preventDefault()}>
        <DialogHeader title="开启两步验证" />
        <DialogBody>
          <SetUpSteps
            username={user.username}
            onEnabled={(codes) => {
              dialog.onOpenChange(false);
              onEnabled(codes);
            }}
          />
        </DialogBody>
      </DialogContent>
    </Dialog>
  );
}
