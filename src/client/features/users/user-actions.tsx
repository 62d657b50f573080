import type { User } from "@shared/users.ts";
import { Ellipsis, KeyRound, LogOut, Pencil, ShieldOff, Trash2, UserCheck } from "lucide-react";
import { trpc } from "@/api/trpc";
import { Button } from "@/components/ui/button";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from "@/components/ui/dropdown-menu";
import { notify } from "@/lib/notify";
import { useCurrentUser } from "@/session/session";
import type { UserAction } from "./user-dialogs";

type UserActionsProps = {
  user: User;
  onAct: (action: UserAction, user: User) => void;
  /** Where there is no room beside the menu, everything is in it. */
  isCompact?: boolean;
  /** Where there is room for a second button. */
  hasLeaveButton?: boolean;
};

/**
 * The act of every day as a button, the others in a menu. Nobody resets the own password or second
 * factor or deletes the own account here; only clients leave, and only once.
 */
export function UserActions(props: UserActionsProps) {
  const { user, onAct, isCompact = false, hasLeaveButton = false } = props;
  const isSelf = useCurrentUser().id === user.id;
  const enable = useEnable();
  const mayLeave = user.role === "client" && user.isActive;
  const act = (action: UserAction) => () => onAct(action, user);
  // The own account has nothing but the one button.
  const hasMenu = isCompact || !isSelf || !user.isActive;

  return (
    <div className="flex items-center justify-end gap-1">
      {isCompact ? null : (
        <Button variant="outline" size="sm" aria-label={`编辑 ${user.name}`} onClick={act("edit")}>
          <Pencil />
          编辑
        </Button>
      )}
      {mayLeave && hasLeaveButton ? (
        <Button variant="outline" size="sm" onClick={act("leave")}>
          <LogOut />
          离场
        </Button>
      ) : null}
      {hasMenu ? (
        <DropdownMenu>
          <DropdownMenuTrigger asChild>
            <Button variant="ghost" size="sm" icon aria-label={`对 ${user.name} 的操作`}>
              <Ellipsis />
            </Button>
          </DropdownMenuTrigger>
          <DropdownMenuContent>
            {isCompact ? (
              <DropdownMenuItem icon={<Pencil />} onSelect={act("edit")}>
                编辑
              </DropdownMenuItem>
            ) : null}
            {isSelf ? null : (
              <DropdownMenuItem icon={<KeyRound />} onSelect={act("resetPassword")}>
                重置密码
              </DropdownMenuItem>
            )}
            {isSelf || user.secondFactorEnabled !== true ? null : (
              <DropdownMenuItem icon={<ShieldOff />} onSelect={act("resetSecondFactor")}>
                重置两步验证
              </DropdownMenuItem>
            )}
            {user.isActive ? null : (
              <DropdownMenuItem icon={<UserCheck />} onSelect={() => enable(user)}>
                启用
              </DropdownMenuItem>
            )}
            {mayLeave && !hasLeaveButton ? (
              <DropdownMenuItem icon={<LogOut />} onSelect={act("leave")}>
                离场
              </DropdownMenuItem>
            ) : null}
            {isSelf ? null : (
              <>
                <DropdownMenuSeparator />
                <DropdownMenuItem tone="danger" icon={<Trash2 />} onSelect={act("delete")}>
                  删除
                </DropdownMenuItem>
              </>
            )}
          </DropdownMenuContent>
        </DropdownMenu>
      ) : null}
    </div>
  );
}

/** Takes nothing from anybody, so it does not ask. */
function useEnable(): (user: User) => void {
  const update = trpc.users.update.useMutation({
    meta: { errorTitle: "更新失败" },
    onSuccess: notifyEnabled,
  });
  return ({ id }) => {
    if (!update.isPending) update.mutate({ id, isActive: true });
  };
}

export function notifyEnabled({ name, username }: User): void {
  notify.success("已启用", { message: `用户 ${name} · @${username} 可以重新登录` });
}
