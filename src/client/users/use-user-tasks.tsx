import type { User } from "@shared/users.ts";
import { type ReactNode, useState } from "react";
import { EditUserDialog } from "./edit-user-dialog";
import { NewPasswordDialog } from "./new-password-dialog";
import { useDeleteUser } from "./use-delete-user";
import { useResetPassword } from "./use-reset-password";

/** Always the same functions: the table's columns hold them, and new columns would draw every cell anew. */
export type UserTasks = Record<"edit" | "resetPassword" | "remove", (user: User) => void>;

/**
 * Opens what is done to a user. Render `dialogs` once on the page, not in the rows: a row may leave the list while its dialog is being
 * filled in, or shows a password that nobody will see again.
 */
export function useUserTasks(ownId: string): { tasks: UserTasks; dialogs: ReactNode } {
  // Who was edited last stays while the dialog fades out.
  const [edited, setEdited] = useState<User | null>(null);
  const [isEditing, setEditing] = useState(false);
  const reset = useResetPassword();
  const removal = useDeleteUser();
  const [tasks] = useState<UserTasks>(() => ({
    edit(user) {
      setEdited(user);
      setEditing(true);
    },
    resetPassword: reset.ask,
    remove: removal.ask,
  }));
  const dialogs = (
    <>
      {edited === null ? null : (
        <EditUserDialog
          key={edited.id}
          user={edited}
          isSelf={edited.id === ownId}
          open={isEditing}
          onOpenChange={setEditing}
        />
      )}
      {reset.user === null ? null : (
        <NewPasswordDialog user={reset.user} password={reset.newPassword} onClose={reset.forget} />
      )}
      {reset.confirmDialog}
      {removal.confirmDialog}
    </>
  );
  return { tasks, dialogs };
}
