import type { User } from "@shared/users.ts";
import { KeyRound, Pencil, Trash2 } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Tooltip } from "@/components/ui/tooltip";
import { EditUserDialog } from "./edit-user-dialog";
import { NewPasswordDialog } from "./new-password-dialog";
import { useDeleteUser } from "./use-delete-user";
import { useResetPassword } from "./use-reset-password";

type UserActionsProps = {
  user: User;
  /** Neither one's own password nor one's own account: those two are left out. */
  isSelf: boolean;
  /** `icons` for a table's row, `words` for a card's foot. */
  look: "icons" | "words";
};

export function UserActions({ user, isSelf, look }: UserActionsProps) {
  const [isEditing, setEditing] = useState(false);
  const reset = useResetPassword(user);
  const remove = useDeleteUser(user);
  const named = { name: user.name, look };
  return (
    <div className={look === "icons" ? "flex justify-end gap-0.5" : "flex flex-1 gap-2 *:flex-1"}>
      <ActionButton {...named} label="编辑" icon={<Pencil aria-hidden="true" />} onClick={() => setEditing(true)} />
      {isSelf ? null : (
        <>
          <ActionButton {...named} label="重置密码" icon={<KeyRound aria-hidden="true" />} onClick={reset.ask} />
          <ActionButton {...named} label="删除" icon={<Trash2 aria-hidden="true" />} onClick={remove.ask} isDanger />
        </>
      )}
      <EditUserDialog user={user} isSelf={isSelf} open={isEditing} onOpenChange={setEditing} />
      <NewPasswordDialog user={user} password={reset.newPassword} onClose={reset.forget} />
      {reset.confirmDialog}
      {remove.confirmDialog}
    </div>
  );
}

type ActionButtonProps = {
  name: string;
  look: "icons" | "words";
  label: string;
  icon: React.ReactNode;
  onClick: () => void;
  isDanger?: boolean;
};

function ActionButton({ name, look, label, icon, onClick, isDanger = false }: ActionButtonProps) {
  if (look === "words") {
    return (
      <Button variant="outline" aria-label={`${label} ${name}`} onClick={onClick}>
        {icon}
        {label}
      </Button>
    );
  }
  return (
    <Tooltip content={label}>
      <Button
        variant="ghost"
        icon
        aria-label={`${label} ${name}`}
        onClick={onClick}
        className={isDanger ? "hover:text-danger-ink" : ""}
      >
        {icon}
      </Button>
    </Tooltip>
  );
}
