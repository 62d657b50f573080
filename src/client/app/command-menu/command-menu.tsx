import { hasPermission } from "@shared/roles.ts";
import { useState } from "react";
import { useLocation } from "wouter";
import { CommandPalette } from "@/components/ui/command";
import { LANDING } from "@/lib/landing";
import { lazyDialog } from "@/lib/lazy";
import type { DialogProps } from "@/lib/use-dialog";
import { useCurrentUser } from "@/session/session";
import { CommandActions } from "./command-actions";
import { CommandPages } from "./command-pages";
import { FoundGroups } from "./found-groups";
import { useFound } from "./use-found";

const CreateUserDialog = lazyDialog(() =>
  import("@/features/users/create-user-dialog").then((m) => m.CreateUserDialog),
);

type CommandMenuProps = DialogProps & {
  /** What is typed into it, which may have begun before it was drawn. */
  typed: string;
  onTypedChange: (typed: string) => void;
  /** Shows the keys. */
  onExplain: () => void;
};

/**
 * Ctrl-K: go to a page, find a host or user, call who has it, run a sync. Pages are filtered here,
 * hosts and users by the server.
 */
export function CommandMenu({
  open,
  onOpenChange,
  typed,
  onTypedChange,
  onExplain,
}: CommandMenuProps) {
  const { role } = useCurrentUser();
  const [, navigate] = useLocation();
  const [isCreatingUser, setCreatingUser] = useState(false);
  const text = typed.trim();
  const found = useFound(text, open);

  function close(): void {
    onOpenChange(false);
  }

  function go(href: string): void {
    close();
    navigate(href);
  }

  /** On what was looked for. */
  function land(href: string): void {
    close();
    navigate(href, { state: LANDING });
  }

  return (
    <>
      <CommandPalette
        open={open}
        onOpenChange={onOpenChange}
        search={typed}
        onSearchChange={onTypedChange}
        isLoading={found.isLoading}
        isFailed={found.isFailed}
        placeholder={
          hasPermission(role, "users:read") ? "查找页面、主机、IP 或用户…" : "查找页面、主机或 IP…"
        }
      >
        <CommandPages text={text} onOpen={go} />
        <FoundGroups found={found} onOpen={land} onClose={close} />
        <CommandActions
          text={text}
          onClose={close}
          onGo={go}
          onCreateUser={() => setCreatingUser(true)}
          onExplain={onExplain}
        />
      </CommandPalette>
      <CreateUserDialog open={isCreatingUser} onOpenChange={setCreatingUser} />
    </>
  );
}
