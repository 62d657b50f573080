import { HOST_STATUS_LABELS, type Host } from "@shared/hosts.ts";
import { hasPermission, isAdmin, isClient, ROLE_LABELS, type Role } from "@shared/roles.ts";
import { keepPreviousData } from "@tanstack/react-query";
import { ListFilter, LogOut, type LucideIcon, Moon, Plus, RefreshCw, Server, Sun, UserRound } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useLocation } from "wouter";
import { errorMessage } from "@/api/errors";
import { trpc } from "@/api/trpc";
import { CommandGroup, CommandItem, CommandPalette } from "@/components/ui/command";
import { useStartSync } from "@/features/sync/use-sync";
import { notify } from "@/lib/notify";
import { useBack } from "@/lib/use-back";
import { useDebounced } from "@/lib/use-debounced";
import type { DialogProps } from "@/lib/use-dialog";
import { setTheme, useTheme } from "@/lib/use-theme";
import { useCurrentUser, useSession } from "@/session/session";
import { navItemsFor } from "./nav";

/** Ctrl-K: go to a page, find a host or user, do something. Pages and actions are filtered here, the others by the server. */
export function CommandMenu({ open, onOpenChange }: DialogProps) {
  const user = useCurrentUser();
  const [, navigate] = useLocation();
  useBack(open, close);
  const [search, setSearch] = useState("");
  const debouncedSearch = useDebounced(search.trim(), 200);
  const mayFindUsers = hasPermission(user.role, "users:read");
  const found = { enabled: open && debouncedSearch !== "", placeholderData: keepPreviousData };
  const hosts = trpc.hosts.list.useQuery({ search: debouncedSearch, limit: 8 }, found);
  const users = trpc.users.list.useQuery(
    { search: debouncedSearch, limit: 5 },
    { ...found, enabled: found.enabled && mayFindUsers },
  );

  function close(): void {
    onOpenChange(false);
    setSearch("");
  }
  function go(href: string): void {
    close();
    navigate(href);
  }

  // Results of an earlier search are shown, but cannot be chosen.
  const isTyping = debouncedSearch !== search.trim();
  const text = search.trim().toLowerCase();
  const pages = [...navItemsFor(user.role), { href: "/account", label: "个人设置", icon: UserRound }].filter(
    ({ label, href }) => matches(text, label, href),
  );
  return (
    <CommandPalette
      open={open}
      onOpenChange={(isOpen) => (isOpen ? onOpenChange(true) : close())}
      search={search}
      onSearchChange={setSearch}
      isLoading={text !== "" && (hosts.isFetching || users.isFetching || isTyping)}
      placeholder={mayFindUsers ? "查找页面、主机、IP、用户或操作…" : "查找页面、主机、IP 或操作…"}
    >
      {pages.length > 0 ? (
        <CommandGroup heading="前往">
          {pages.map(({ href, label, icon: Icon }) => (
            <CommandItem key={href} value={href} icon={<Icon aria-hidden="true" />} onSelect={() => go(href)}>
              {label}
            </CommandItem>
          ))}
        </CommandGroup>
      ) : null}
      {debouncedSearch !== "" && text !== "" ? (
        <>
          <Results
            heading="主机"
            icon={Server}
            query={hosts}
            total={hosts.data?.pagination.total}
            isTyping={isTyping}
            allLabel={(total) => `查看全部 ${total} 台匹配的主机`}
            onOpenAll={() => go(`/hosts?${new URLSearchParams({ search: debouncedSearch })}`)}
            rows={hosts.data?.hosts.map((host) => ({
              id: host.id,
              name: host.name,
              code: <span className="ml-1 font-mono text-xs text-muted-foreground">{host.ucloudId}</span>,
              trailing: [holders(user.role, host), HOST_STATUS_LABELS[host.status]].filter(Boolean).join(" · "),
              open: () => go(`/hosts?${new URLSearchParams({ search: host.name || host.ucloudId, host: host.id })}`),
            }))}
          />
          <Results
            heading="用户"
            icon={UserRound}
            query={users}
            total={users.data?.pagination.total}
            isTyping={isTyping}
            allLabel={(total) => `查看全部 ${total} 个匹配的用户`}
            // An admin has no page of all users.
            onOpenAll={
              isAdmin(user.role) ? null : () => go(`/users?${new URLSearchParams({ search: debouncedSearch })}`)
            }
            rows={users.data?.users.map(({ id, name, username, role, isActive }) => ({
              id,
              name,
              code: <span className="ml-1 text-xs text-muted-foreground">{username}</span>,
              trailing: isActive ? ROLE_LABELS[role] : `${ROLE_LABELS[role]} · 已停用`,
              open: () => go(`/users/${id}`),
            }))}
          />
        </>
      ) : null}
      <Actions text={text} onDone={close} onGo={go} />
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
  query: { error: unknown; isPlaceholderData: boolean };
  total: number | undefined;
  isTyping: boolean;
  allLabel: (total: number) => string;
  /** Null where there is no page of all of them. */
  onOpenAll: (() => void) | null;
  rows: readonly { id: string; name: string; code: ReactNode; trailing: string; open: () => void }[] | undefined;
};

/** What the server found. */
function Results({ heading, icon: Icon, query, total = 0, isTyping, allLabel, onOpenAll, rows = [] }: ResultsProps) {
  if (query.error !== null) {
    return (
      <p className="px-2 py-2 text-sm text-danger-ink">
        {heading}查找失败：{errorMessage(query.error)}
      </p>
    );
  }
  if (rows.length === 0) return null;
  const isStale = isTyping || query.isPlaceholderData;
  return (
    // cmdk highlights the first entry only when the entries are new.
    <CommandGroup key={String(isStale)} heading={heading}>
      {rows.map(({ id, name, code, trailing, open }) => (
        <CommandItem
          key={id}
          value={id}
          disabled={isStale}
          icon={<Icon aria-hidden="true" />}
          trailing={trailing}
          onSelect={open}
        >
          {name} {code}
        </CommandItem>
      ))}
      {onOpenAll !== null && total > rows.length ? (
        <CommandItem
          value={`${heading}:all`}
          disabled={isStale}
          icon={<ListFilter aria-hidden="true" />}
          onSelect={onOpenAll}
        >
          {allLabel(total)}
        </CommandItem>
      ) : null}
    </CommandGroup>
  );
}

type ActionsProps = { text: string; onDone: () => void; onGo: (href: string) => void };

function Actions({ text, onDone, onGo }: ActionsProps) {
  const user = useCurrentUser();
  const { logout } = useSession();
  const { resolved } = useTheme();
  const maySync = hasPermission(user.role, "hosts:sync");
  const configs = trpc.configs.list.useQuery(undefined, { enabled: maySync });
  const { start } = useStartSync(() => void notify.info("已开始同步", { message: "可在顶部查看进度" }));
  const other = resolved === "dark" ? "light" : "dark";
  const actions = [
    ...(maySync && configs.data?.length === 0
      ? [
          {
            value: "config",
            label: "新增配置",
            words: "config peizhi 同步 sync tongbu",
            icon: Plus,
            run: () => onGo("/configs"),
          },
        ]
      : []),
    ...(maySync && configs.data?.length !== 0
      ? [{ value: "sync", label: "同步全部主机", words: "sync tongbu", icon: RefreshCw, run: () => start() }]
      : []),
    {
      value: "theme",
      label: other === "dark" ? "切换到深色主题" : "切换到浅色主题",
      words: "theme zhuti",
      icon: other === "dark" ? Moon : Sun,
      run: () => setTheme(other),
    },
    { value: "logout", label: "退出登录", words: "logout tuichu", icon: LogOut, run: () => void logout() },
  ].filter(({ label, words }) => matches(text, label, words));
  if (actions.length === 0) return null;
  return (
    <CommandGroup heading="操作">
      {actions.map(({ value, label, icon: Icon, run }) => (
        <CommandItem
          key={value}
          value={`action:${value}`}
          icon={<Icon aria-hidden="true" />}
          onSelect={() => {
            onDone();
            run();
          }}
        >
          {label}
        </CommandItem>
      ))}
    </CommandGroup>
  );
}

function matches(text: string, ...words: string[]): boolean {
  return text === "" || words.some((word) => word.toLowerCase().includes(text));
}
