import { ROLE_LABELS } from "@shared/roles.ts";
import type { User } from "@shared/users.ts";
import { ListFilter, UserRound } from "lucide-react";
import { CommandGroup, CommandItem } from "@/components/ui/command";

type UserResultsProps = {
  /** Undefined while the first answer is on its way, and for those who may not look. */
  users: readonly User[] | undefined;
  total: number;
  failure: string | null;
  /** They are of another search. */
  isStale: boolean;
  onOpen: (user: User) => void;
  /** Null where there is no list of all of them. */
  onOpenAll: (() => void) | null;
};

/** The users that the server found for the text in the command palette. */
export function UserResults({ users, total, failure, isStale, onOpen, onOpenAll }: UserResultsProps) {
  if (failure !== null) {
    return <p className="px-2 py-2 text-sm text-danger-ink">用户查找失败：{failure}</p>;
  }
  if (users === undefined || users.length === 0) return null;
  return (
    // Its entries are new ones once they may be chosen: only then does the palette look for the first of them.
    <CommandGroup key={String(isStale)} heading="用户">
      {users.map((user) => (
        <CommandItem
          key={user.id}
          value={user.id}
          disabled={isStale}
          icon={<UserRound aria-hidden="true" />}
          trailing={user.isActive ? ROLE_LABELS[user.role] : `${ROLE_LABELS[user.role]} · 已停用`}
          onSelect={() => onOpen(user)}
        >
          {user.name} <span className="ml-1 text-xs text-muted-foreground">{user.username}</span>
        </CommandItem>
      ))}
      {onOpenAll !== null && total > users.length ? (
        <CommandItem value="users:all" disabled={isStale} icon={<ListFilter aria-hidden="true" />} onSelect={onOpenAll}>
          查看全部 {total} 个匹配的用户
        </CommandItem>
      ) : null}
    </CommandGroup>
  );
}
