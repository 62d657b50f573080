import type { Role } from "@shared/roles.ts";
import {
  BellRing,
  CalendarClock,
  History,
  LayoutDashboard,
  type LucideIcon,
  Menu,
  PanelLeftClose,
  PanelLeftOpen,
  ScrollText,
  Server,
  Settings2,
  SlidersHorizontal,
  Users,
} from "lucide-react";
import { useState } from "react";
import { Link, useLocation } from "wouter";
import { z } from "zod";
import { trpc } from "@/api/trpc";
import { Button } from "@/components/ui/button";
import { DialogBody, DialogHeader } from "@/components/ui/dialog";
import { Sheet, SheetContent, SheetTrigger } from "@/components/ui/sheet";
import { Tooltip } from "@/components/ui/tooltip";
import { cn } from "@/lib/cn";
import { shortCount } from "@/lib/short-count";
import { useStored } from "@/lib/storage";
import { useBack } from "@/lib/use-back";
import { useIsLargeScreen } from "@/lib/use-media";
import { useCurrentUser } from "@/session/session";
import { HelpLinks } from "./help-links";
import { mayEnter } from "./route-guard";
import { prefetchPage } from "./routes";

type NavItem = {
  href: string;
  label: string;
  icon: LucideIcon;
  roles?: readonly Role[];
  /** Says how many requests are open. */
  countsRequests?: boolean;
};

const NAV_ITEMS: readonly NavItem[] = [
  { href: "/dashboard", label: "仪表盘", icon: LayoutDashboard },
  { href: "/hosts", label: "主机管理", icon: Server },
  { href: "/client/renewals", label: "我的续费", icon: CalendarClock, roles: ["client"] },
  { href: "/admin/renewals", label: "续费申请", icon: CalendarClock, roles: ["admin"] },
  { href: "/my-clients", label: "我的用户", icon: Users, roles: ["admin"] },
  {
    href: "/renewals",
    label: "续费管理",
    icon: CalendarClock,
    roles: ["super_admin"],
    countsRequests: true,
  },
  { href: "/users", label: "用户管理", icon: Users, roles: ["super_admin"] },
  { href: "/changes", label: "最近变更", icon: History, roles: ["super_admin"] },
  { href: "/configs", label: "配置管理", icon: SlidersHorizontal, roles: ["super_admin"] },
  { href: "/notice-settings", label: "通知设置", icon: BellRing, roles: ["super_admin"] },
  { href: "/audit", label: "审计日志", icon: ScrollText, roles: ["super_admin"] },
  { href: "/system-config", label: "系统配置", icon: Settings2, roles: ["super_admin"] },
];

export function navItemsFor(role: Role): readonly NavItem[] {
  return NAV_ITEMS.filter((item) => mayEnter(role, item));
}

/**
 * From medium screens up. The user's choice of the rail is stored; without one the screen's width
 * decides.
 */
export function Sidebar() {
  const isLarge = useIsLargeScreen();
  const [choice, setChoice] = useStored("sidebar", z.enum(["open", "rail"]).nullable(), null);
  const isRail = choice === null ? !isLarge : choice === "rail";
  const Icon = isRail ? PanelLeftOpen : PanelLeftClose;
  const label = isRail ? "展开侧边栏" : "收起侧边栏";

  return (
    <nav
      aria-label="主导航"
      className={cn(
        "sticky top-14 hidden h-[calc(100dvh-3.5rem)] shrink-0 flex-col border-r bg-card p-2 transition-[width] duration-300 ease-out md:flex low:top-0 low:h-dvh print:hidden",
        isRail ? "w-15.5" : "w-54",
      )}
    >
      <div className="min-h-0 flex-1 overflow-x-hidden overflow-y-auto">
        <NavList isRail={isRail} />
      </div>
      <button
        type="button"
        onClick={() => setChoice(isRail ? "open" : "rail")}
        aria-expanded={!isRail}
        aria-label={label}
        title={isRail ? label : undefined}
        className="flex h-9 w-full items-center gap-3 overflow-hidden rounded-md px-3.5 text-sm whitespace-nowrap text-muted-foreground hover:bg-accent hover:text-foreground"
      >
        <Icon className="size-4.5 shrink-0" />
        <span className={cn(isRail && "sr-only")}>{label}</span>
      </button>
    </nav>
  );
}

export function MobileNav() {
  const [isOpen, setOpen] = useState(false);
  useBack(isOpen, () => setOpen(false));

  return (
    <Sheet open={isOpen} onOpenChange={setOpen}>
      <SheetTrigger asChild>
        <Button
          variant="ghost"
          size="lg"
          icon
          aria-label="打开导航菜单"
          className="-ml-2 md:hidden"
        >
          <Menu />
        </Button>
      </SheetTrigger>
      <SheetContent side="left" size="sm">
        <DialogHeader title="多主机管理系统" />
        <DialogBody className="flex flex-col px-2 py-2">
          <nav aria-label="主导航" className="flex-1">
            <NavList onNavigate={() => setOpen(false)} />
          </nav>
          <div className="mt-2 grid border-t pt-2 pb-[env(safe-area-inset-bottom)]">
            <HelpLinks className="h-11 px-3 text-lg" />
          </div>
        </DialogBody>
      </SheetContent>
    </Sheet>
  );
}

function NavList({ isRail = false, onNavigate }: { isRail?: boolean; onNavigate?: () => void }) {
  const { role } = useCurrentUser();
  const [pathname] = useLocation();
  // `/super-admin/hosts` is a second address of `/hosts`.
  const path = pathname.replace(/^\/super-admin(?=\/)/, "");

  return (
    <ul className="grid gap-0.5">
      {navItemsFor(role).map((item) => (
        <li key={item.href}>
          <NavLink
            item={item}
            isCurrent={path === item.href || path.startsWith(`${item.href}/`)}
            isRail={isRail}
            onNavigate={onNavigate}
          />
        </li>
      ))}
    </ul>
  );
}

type NavLinkProps = {
  item: NavItem;
  isCurrent: boolean;
  isRail: boolean;
  onNavigate: (() => void) | undefined;
};

/** Its page begins to load before the click. The rail has the icon alone, and the words beside it. */
function NavLink({ item, isCurrent, isRail, onNavigate }: NavLinkProps) {
  const { href, label, icon: Icon, countsRequests = false } = item;
  const link = (
    <Link
      href={href}
      aria-current={isCurrent ? "page" : undefined}
      onClick={() => onNavigate?.()}
      onPointerEnter={() => prefetchPage(href)}
      onFocus={() => prefetchPage(href)}
      className={cn(
        "relative flex h-9 items-center gap-3 overflow-hidden rounded-md px-3 whitespace-nowrap text-muted-foreground transition-colors hover:bg-accent hover:text-foreground max-md:h-11 max-md:text-lg",
        isCurrent &&
          "bg-primary-soft font-medium text-primary-ink hover:bg-primary-soft hover:text-primary-ink",
      )}
    >
      <Icon className="size-4.5 shrink-0" />
      <span className={cn(isRail && "sr-only")}>{label}</span>
      {countsRequests ? <OpenRequestsCount isRail={isRail} /> : null}
    </Link>
  );
  if (!isRail) return link;

  return (
    <Tooltip content={label} side="right">
      {link}
    </Tooltip>
  );
}

/** How many requests are open; the rail has room for a dot. Live, as events refetch it. */
function OpenRequestsCount({ isRail }: { isRail: boolean }) {
  const { data } = trpc.renewals.list.useQuery({ limit: 1 });
  if (data === undefined) return null;

  const { pending, approved } = data.counts;
  const open = pending + approved;
  if (open === 0) return null;

  return (
    <span
      title={`${pending} 个待处理，${approved} 个待付款`}
      className={cn(
        isRail
          ? "absolute top-1.5 right-2 size-2 rounded-full bg-warning"
          : "ml-auto min-w-5 rounded-full bg-warning-soft px-1.5 text-center text-xs leading-5 font-medium text-warning-ink tabular-nums",
      )}
    >
      <span aria-hidden="true">{isRail ? "" : shortCount(open)}</span>
      <span className="sr-only">{`${open} 个未完成的申请`}</span>
    </span>
  );
}
