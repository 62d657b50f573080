import type { Role } from "@shared/roles.ts";
import {
  CalendarClock,
  LayoutDashboard,
  type LucideIcon,
  Server,
  Settings2,
  SlidersHorizontal,
  Users,
} from "lucide-react";
import { mayEnter } from "@/guard/route-guard";

export type NavItem = { href: string; label: string; icon: LucideIcon; roles?: readonly Role[] };

const NAV_ITEMS: readonly NavItem[] = [
  { href: "/dashboard", label: "仪表盘", icon: LayoutDashboard },
  { href: "/hosts", label: "主机管理", icon: Server },
  { href: "/client/renewals", label: "我的续费", icon: CalendarClock, roles: ["client"] },
  { href: "/admin/renewals", label: "续费申请", icon: CalendarClock, roles: ["admin"] },
  { href: "/users", label: "用户管理", icon: Users, roles: ["super_admin"] },
  { href: "/configs", label: "配置管理", icon: SlidersHorizontal, roles: ["super_admin"] },
  { href: "/system-config", label: "系统配置", icon: Settings2, roles: ["super_admin"] },
  { href: "/renewals", label: "续费管理", icon: CalendarClock, roles: ["super_admin"] },
];

export function navItemsFor(role: Role): readonly NavItem[] {
  return NAV_ITEMS.filter((item) => mayEnter(role, item));
}

/** Its second address counts as well: `/super-admin/hosts` is `/hosts`. */
export function isCurrentItem({ href }: NavItem, pathname: string): boolean {
  const path = pathname.replace(/^\/super-admin(?=\/)/, "");
  return path === href || path.startsWith(`${href}/`);
}
