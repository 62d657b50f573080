import type { User } from "@shared/users.ts";
import { KeyRound, Pencil, Trash2 } from "lucide-react";
import { Button } from "@/components/ui/button";
import { Tooltip } from "@/components/ui/tooltip";
import type { UserTasks } from "./use-user-tasks";

type UserActionsProps = {
  user: User;
  /** Neither one's own password nor one's own account: those two are left out. */
  isSelf: boolean;
  tasks: UserTasks;
  /** `icons` for a table's row, `words` for a card's foot. */
  look: "icons" | "words";
};

export function UserActions({ user, isSelf, tasks, look }: UserActionsProps) {
  const named = { name: user.name, look };
  return (
    <div className={look === "icons" ? "-mr-2.25 flex justify-end gap-0.5" : "flex flex-1 gap-2 *:flex-1"}>
      <ActionButton {...named} label="编辑" icon={<Pencil aria-hidden="true" />} onClick={() => tasks.edit(user)} />
      {isSelf ? null : (
        <>
          <ActionButton
            {...named}
            label="重置密码"
            icon={<KeyRound aria-hidden="true" />}
            onClick={() => tasks.resetPassword(user)}
          />
          <ActionButton
            {...named}
            label="删除"
            icon={<Trash2 aria-hidden="true" />}
            onClick={() => tasks.remove(user)}
            isDanger
          />
        </>
      )}
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
