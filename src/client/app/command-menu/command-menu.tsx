import { HOST_STATUS_LABELS, type Host } from "@shared/hosts.ts";
import { MAX_SEARCH_LENGTH } from "@shared/page.ts";
import { hasPermission, isAdmin, isClient, ROLE_LABELS, type Role } from "@shared/roles.ts";
import {
  Keyboard,
  KeyRound,
  ListFilter,
  type LucideIcon,
  Moon,
  Phone,
  RefreshCw,
  Server,
  Sun,
  UserPlus,
  UserRound,
} from "lucide-react";
import { type ReactNode, useState } from "react";
import { useLocation } from "wouter";
import { errorMessage } from "@/api/errors";
import { trpc } from "@/api/trpc";
import { firstExpiringUser, providerExpiry, sortedIps } from "@/components/hosts/host-display";
import { useStartSync } from "@/components/sync/use-sync";
import { CommandGroup, CommandItem, CommandPalette } from "@/components/ui/command";
import { formatExpiry } from "@/lib/format";
import { lazyDialog } from "@/lib/lazy";
import { notify } from "@/lib/notify";
import { useDebounced } from "@/lib/use-debounced";
import type { DialogProps } from "@/lib/use-dialog";
import { setTheme, shownTheme, useTheme } from "@/lib/use-theme";
import { useCurrentUser } from "@/session/session";
import { navItemsFor } from "./nav";

const CreateUserDialog = lazyDialog(() =>
  import("@/features/users/user-forms").then((m) => m.CreateUserDialog),
);

type CommandMenuProps = DialogProps & {
  /** Shows the keys. */
  onExplain: () => void;
};

/**
 * Ctrl-K: go to a page, find a host or user, call who has it, run a sync. Pages are filtered here,
 * hosts and users by the server.
 */
export function CommandMenu({ open, onOpenChange, onExplain }: CommandMenuProps) {
  const { role } = useCurrentUser();
  const [, navigate] = useLocation();
  const [isCreatingUser, setCreatingUser] = useState(false);
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
    <>
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
              rows={hosts.data?.hosts.map((host) => hostResult(role, host, search))}
            />
            <HolderCalls hosts={hosts.data?.hosts ?? []} onDone={close} />
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
        <Actions
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

type ActionsProps = {
  text: string;
  onClose: () => void;
  onGo: (href: string) => void;
  onCreateUser: () => void;
  onExplain: () => void;
};

/** What can be done from anywhere, by the words that people type for it. */
function Actions({ text, onClose, onGo, onCreateUser, onExplain }: ActionsProps) {
  const { role } = useCurrentUser();
  const { start } = useStartSync(
    () => void notify.info("已开始同步", { message: "可在顶部查看进度" }),
  );
  useTheme();
  const otherTheme = shownTheme() === "dark" ? "light" : "dark";
  const actions = [
    {
      label: "同步全部主机",
      words: "sync tongbu",
      icon: RefreshCw,
      isAllowed: hasPermission(role, "hosts:sync"),
      run: () => start(),
    },
    {
      label: "创建用户",
      words: "user yonghu chuangjian",
      icon: UserPlus,
      isAllowed: hasPermission(role, "users:create"),
      run: onCreateUser,
    },
    {
      label: "新增配置",
      words: "config peizhi 云账号 密钥",
      icon: KeyRound,
      isAllowed: hasPermission(role, "configs:create"),
      run: () => onGo("/configs?new=true"),
    },
    {
      label: otherTheme === "dark" ? "切换主题：深色" : "切换主题：浅色",
      words: "theme zhuti",
      icon: otherTheme === "dark" ? Moon : Sun,
      isAllowed: true,
      run: () => setTheme(otherTheme),
    },
    {
      label: "查看快捷键",
      words: "keys kuaijiejian ?",
      icon: Keyboard,
      isAllowed: true,
      run: onExplain,
    },
  ];
  const shown = actions.filter(
    ({ isAllowed, label, words }) => isAllowed && matches(text, label, words),
  );
  if (shown.length === 0) return null;

  return (
    <CommandGroup heading="操作">
      {shown.map(({ label, icon: Icon, run }) => (
        <CommandItem
          key={label}
          value={label}
          icon={<Icon />}
          onSelect={() => {
            onClose();
            run();
          }}
        >
          {label}
        </CommandItem>
      ))}
    </CommandGroup>
  );
}

/** Name and id; below them the address that was meant, who has it, and until when. */
function hostResult(role: Role, host: Host, search: string) {
  const facts = [matchedAddress(host, search), ...holderFacts(role, host)].filter(
    (fact) => fact !== null,
  );
  return {
    id: host.id,
    name: host.name,
    code: (
      <>
        <span className="ml-1 font-mono text-xs text-muted-foreground">{host.ucloudId}</span>
        <span className="block truncate text-xs text-muted-foreground tabular-nums">
          {facts.join(" · ")}
        </span>
      </>
    ),
    trailing: host.goneAt === null ? HOST_STATUS_LABELS[host.status] : "已消失",
    href: `/hosts?${new URLSearchParams({ search: host.name || host.ucloudId, host: host.id })}`,
  };
}

/** The address that holds what was typed; null where the name or the id does. */
function matchedAddress({ ipSet }: Host, search: string): string | null {
  return sortedIps(ipSet).find(({ IP }) => IP.includes(search))?.IP ?? null;
}

/** Who has the host and both ends; a client has it, and knows one. */
function holderFacts(role: Role, host: Host): (string | null)[] {
  if (isClient(role)) return [`到期 ${formatExpiry(host.expireTime)}`];

  const providerEnd = providerExpiry(host);
  const first = firstExpiringUser(host);
  const others = host.users.length > 1 ? ` 等 ${host.users.length} 人` : "";

  return [
    first === undefined ? "未分配" : `${first.name}${others}`,
    first === undefined ? null : `用户到期 ${formatExpiry(first.assignedExpireTime)}`,
    providerEnd === null ? null : `云端到期 ${formatExpiry(providerEnd)}`,
  ];
}

/** A search that finds more hosts than this does not mean one person. */
const CALLED_HOSTS = 3;

/** A way to call each person who has one of the few hosts found, where the number is known. */
function HolderCalls({ hosts, onDone }: { hosts: readonly Host[]; onDone: () => void }) {
  const { role } = useCurrentUser();
  const isMeant = hosts.length <= CALLED_HOSTS && hasPermission(role, "users:read");
  const holders = isMeant ? hosts.flatMap(({ users }) => users) : [];
  const ids = [...new Set(holders.map(({ id }) => id))];
  const found = trpc.useQueries((t) => ids.map((id) => t.users.get({ id })));
  const reachable = found.flatMap(({ data }) =>
    data?.phone ? [{ ...data, phone: data.phone }] : [],
  );
  if (reachable.length === 0) return null;

  return (
    <CommandGroup heading="联系使用人">
      {reachable.map(({ id, name, phone }) => (
        <CommandItem
          key={id}
          value={`call:${id}`}
          icon={<Phone />}
          trailing={<span className="font-mono">{phone}</span>}
          onSelect={() => {
            onDone();
            location.assign(`tel:${phone}`);
          }}
        >
          拨打 {name}
        </CommandItem>
      ))}
    </CommandGroup>
  );
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
