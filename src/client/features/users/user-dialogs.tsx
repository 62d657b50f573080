import type { User } from "@shared/users.ts";
import { lazyDialog } from "@/lib/lazy";
import type { DialogState } from "@/lib/use-dialog";
import { DeleteUserDialog } from "./delete-user-dialog";
import { ResetPasswordDialog } from "./reset-password-dialog";
import { ResetSecondFactorDialog } from "./reset-second-factor-dialog";

/** With the batch that it runs, it is the largest of them and the rarest. */
const LeaveDialog = lazyDialog(() => import("./leave-dialog").then((m) => m.LeaveDialog));

/** With what a form needs. */
const EditUserDialog = lazyDialog(() => import("./edit-user-dialog").then((m) => m.EditUserDialog));

export type UserAction = "edit" | "resetPassword" | "resetSecondFactor" | "delete" | "leave";

type UserDialogsProps = {
  dialog: (action: UserAction) => DialogState<User> | null;
  onDeleted?: () => void;
};

/**
 * What may be done to a user who exists; they belong to the page, because a live list may drop the
 * row.
 */
export function UserDialogs({ dialog, onDeleted = () => undefined }: UserDialogsProps) {
  const edit = dialog("edit");
  const reset = dialog("resetPassword");
  const resetFactor = dialog("resetSecondFactor");
  const deletion = dialog("delete");
  const leaving = dialog("leave");

  return (
    <>
      {edit === null ? null : <EditUserDialog key={edit.subject.id} {...edit} />}
      {reset === null ? null : <ResetPasswordDialog key={reset.subject.id} {...reset} />}
      {resetFactor === null ? null : <ResetSecondFactorDialog {...resetFactor} />}
      {deletion === null ? null : <DeleteUserDialog {...deletion} onDeleted={onDeleted} />}
      {leaving === null ? null : <LeaveDialog key={leaving.subject.id} {...leaving} />}
    </>
  );
}
