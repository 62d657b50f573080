import { hasPermission, isAdmin } from "@shared/roles.ts";
import type { User } from "@shared/users.ts";
import { keepPreviousData } from "@tanstack/react-query";
import { LogOut, Moon, Plus, RefreshCw, Sun, UserRound } from "lucide-react";
import { useState } from "react";
import { useLocation } from "wouter";
import { errorMessage } from "@/api/errors";
import { trpc } from "@/api/trpc";
import { CommandGroup, CommandItem, CommandPalette } from "@/components/ui/command";
import { notify } from "@/lib/notify";
import { useDebounced } from "@/lib/use-debounced";
import { useTheme } from "@/lib/use-theme";
import { useCurrentUser, useSession } from "@/session/session";
import { useStartSync } from "@/sync/use-start-sync";
import { HostResults } from "./host-results";
import { navItemsFor } from "./nav-items";
import { UserResults } from "./user-results";

type CommandMenuContentProps = { open: boolean; onOpenChange: (open: boolean) => void };

/** Ctrl-K: go to a page, find a host or user, do something. Pages and actions are filtered here, the others by the server. */
export function CommandMenuContent({ open, onOpenChange }: CommandMenuContentProps) {
  const user = useCurrentUser();
  const [, navigate] = useLocation();
  const [search, setSearch] = useState("");
  const wanted = useDebounced(search.trim(), 200);
  const mayFindUsers = hasPermission(user.role, "users:read");
  const found = { enabled: open && wanted !== "", placeholderData: keepPreviousData };
  const hosts = trpc.hosts.list.useQuery({ search: wanted, limit: 8 }, found);
  const users = trpc.users.list.useQuery(
    { search: wanted, limit: 5 },
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

  // An admin has no page of users: a client's requests are what there is to see of it.
  const placeOf = (search: string) =>
    `${isAdmin(user.role) ? "/admin/renewals" : "/users"}?${new URLSearchParams({ search })}`;

  // Hits of another search stay in sight until the new ones come, but cannot be chosen: Enter would open what is not meant.
  const isTyping = wanted !== search.trim();
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
      shouldFilter={false}
      placeholder={mayFindUsers ? "查找页面、主机、用户或操作…" : "查找页面、主机或操作…"}
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
      {wanted !== "" && text !== "" ? (
        <>
          <HostResults
            hosts={hosts.data?.hosts}
            total={hosts.data?.pagination.total ?? 0}
            failure={hosts.error === null ? null : errorMessage(hosts.error)}
            isStale={isTyping || hosts.isPlaceholderData}
            onOpen={(host) =>
              go(`/hosts?${new URLSearchParams({ search: host.name || host.ucloudId, host: host.id })}`)
            }
            onOpenAll={() => go(`/hosts?${new URLSearchParams({ search: wanted })}`)}
          />
          <UserResults
            users={users.data?.users}
            total={users.data?.pagination.total ?? 0}
            failure={users.error === null ? null : errorMessage(users.error)}
            isStale={isTyping || users.isPlaceholderData}
            onOpen={({ username }: User) => go(placeOf(username))}
            onOpenAll={isAdmin(user.role) ? null : () => go(placeOf(wanted))}
          />
        </>
      ) : null}
      <Actions text={text} onDone={close} onGo={go} />
    </CommandPalette>
  );
}

type ActionsProps = { text: string; onDone: () => void; onGo: (href: string) => void };

function Actions({ text, onDone, onGo }: ActionsProps) {
  const user = useCurrentUser();
  const { logout } = useSession();
  const { resolved, setTheme } = useTheme();
  const maySync = hasPermission(user.role, "hosts:sync");
  const configs = trpc.configs.list.useQuery(undefined, { enabled: maySync });
  const { start } = useStartSync(() => void notify.info("已开始同步", "可在顶部查看进度"));
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
