import { HOST_STATUS_LABELS, type Host } from "@shared/hosts.ts";
import { MAX_SEARCH_LENGTH } from "@shared/page.ts";
import { hasPermission, isAdmin, isClient, ROLE_LABELS, type Role } from "@shared/roles.ts";
import { ListFilter, type LucideIcon, RefreshCw, Server, UserRound } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useLocation } from "wouter";
import { errorMessage } from "@/api/errors";
import { trpc } from "@/api/trpc";
import { useStartSync } from "@/components/sync/use-sync";
import { CommandGroup, CommandItem, CommandPalette } from "@/components/ui/command";
import { notify } from "@/lib/notify";
import { useDebounced } from "@/lib/use-debounced";
import type { DialogProps } from "@/lib/use-dialog";
import { useCurrentUser } from "@/session/session";
import { navItemsFor } from "./nav";

/**
 * Ctrl-K: go to a page, find a host or user, run a sync. Pages are filtered here, hosts and users
 * by the server.
 */
export function CommandMenu({ open, onOpenChange }: DialogProps) {
  const { role } = useCurrentUser();
  const [, navigate] = useLocation();
  const { start } = useStartSync(
    () => void notify.info("已开始同步", { message: "可在顶部查看进度" }),
  );
  const [typed, setTyped] = useState("");
  const text = typed.trim();
  const search = useDebounced(text, 200);
  // While somebody types there are no results: Enter would choose one of an earlier search.
  const isSearching = open && text !== "" && text.length <= MAX_SEARCH_LENGTH && search === text;
  const mayFindUsers = hasPermission(role, "users:read");
  const hosts = trpc.hosts.list.useQuery({ search, limit: 8 }, { enabled: isSearching });
  const users = trpc.users.list.useQuery(
    { search, limit: 5 },
    { enabled: isSearching && mayFindUsers },
  );

  function close(): void {
    onOpenChange(false);
    setTyped("");
  }
  function go(href: string): void {
    close();
    navigate(href);
  }

  const pages = [
    ...navItemsFor(role),
    { href: "/account", label: "个人设置", icon: UserRound },
  ].filter(({ label, href }) => matches(text, label, href));

  return (
    <CommandPalette
      open={open}
      onOpenChange={(isOpen) => (isOpen ? onOpenChange(true) : close())}
      search={typed}
      onSearchChange={setTyped}
      isLoading={search !== text || hosts.isFetching || users.isFetching}
      placeholder={mayFindUsers ? "查找页面、主机、IP 或用户…" : "查找页面、主机或 IP…"}
    >
      {pages.length > 0 ? (
        <CommandGroup heading="前往">
          {pages.map(({ href, label, icon: Icon }) => (
            <CommandItem
              key={href}
              value={href}
              icon={<Icon />}
              href={href}
              onSelect={() => go(href)}
            >
              {label}
            </CommandItem>
          ))}
        </CommandGroup>
      ) : null}
      {isSearching ? (
        <>
          <Results
            heading="主机"
            icon={Server}
            query={hosts}
            onOpen={go}
            total={hosts.data?.pagination.total}
            allHref={`/hosts?${new URLSearchParams({ search })}`}
            rows={hosts.data?.hosts.map((host) => ({
              id: host.id,
              name: host.name,
              code: (
                <span className="ml-1 font-mono text-xs text-muted-foreground">
                  {host.ucloudId}
                </span>
              ),
              trailing: [holders(role, host), HOST_STATUS_LABELS[host.status]]
                .filter(Boolean)
                .join(" · "),
              href: `/hosts?${new URLSearchParams({ search: host.name || host.ucloudId, host: host.id })}`,
            }))}
          />
          <Results
            heading="用户"
            icon={UserRound}
            query={users}
            onOpen={go}
            total={users.data?.pagination.total}
            // An admin has no page of all users.
            allHref={isAdmin(role) ? null : `/users?${new URLSearchParams({ search })}`}
            rows={users.data?.users.map(({ id, name, username, role: theirs, isActive }) => ({
              id,
              name,
              code: <span className="ml-1 text-xs text-muted-foreground">{username}</span>,
              trailing: isActive ? ROLE_LABELS[theirs] : `${ROLE_LABELS[theirs]} · 已停用`,
              href: `/users/${id}`,
            }))}
          />
        </>
      ) : null}
      {hasPermission(role, "hosts:sync") && matches(text, "同步全部主机", "sync tongbu") ? (
        <CommandGroup heading="操作">
          <CommandItem
            value="sync"
            icon={<RefreshCw />}
            onSelect={() => {
              close();
              start();
            }}
          >
            同步全部主机
          </CommandItem>
        </CommandGroup>
      ) : null}
    </CommandPalette>
  );
}

/** Who has the host: not said to a client, who has it. */
function holders(role: Role, { users: [first, ...others] }: Pick<Host, "users">): string {
  if (first === undefined || isClient(role)) return "";
  return others.length === 0 ? first.name : `${first.name} 等 ${others.length + 1} 人`;
}

type ResultsProps = {
  heading: string;
  icon: LucideIcon;
  query: { error: unknown };
  total: number | undefined;
  /** Of the list with everything that matches; null for those who have none. */
  allHref: string | null;
  onOpen: (href: string) => void;
  rows:
    | readonly { id: string; name: string; code: ReactNode; trailing: string; href: string }[]
    | undefined;
};

function Results({
  heading,
  icon: Icon,
  query,
  total = 0,
  allHref,
  onOpen,
  rows = [],
}: ResultsProps) {
  if (query.error !== null) {
    return (
      <p className="px-2 py-2 text-sm text-danger-ink">
        {heading}查找失败：{errorMessage(query.error)}
      </p>
    );
  }
  if (rows.length === 0) return null;

  return (
    <CommandGroup heading={heading}>
      {rows.map(({ id, name, code, trailing, href }) => (
        <CommandItem
          key={id}
          value={id}
          icon={<Icon />}
          trailing={trailing}
          href={href}
          onSelect={() => onOpen(href)}
        >
          {name} {code}
        </CommandItem>
      ))}
      {allHref !== null && total > rows.length ? (
        <CommandItem
          value={`${heading}:all`}
          icon={<ListFilter />}
          href={allHref}
          onSelect={() => onOpen(allHref)}
        >
          查看全部 {total} 个匹配的{heading}
        </CommandItem>
      ) : null}
    </CommandGroup>
  );
}

function matches(text: string, ...words: string[]): boolean {
  return words.some((word) => word.toLowerCase().includes(text.toLowerCase()));
}
