import type { ComponentType } from "react";
import { lazy } from "react";
import type { Access } from "@/guard/route-guard";

export type AppRoute = Access & {
  /** wouter pattern; `*?` at the end takes everything below. */
  path: string;
  /** Of the browser's tab. */
  title: string;
  page: ComponentType;
};

const SUPER_ADMIN = { roles: ["super_admin"] } as const;

const DashboardPage = lazy(() => import("@/dashboard/dashboard-page").then((m) => ({ default: m.DashboardPage })));
const HostsPage = lazy(() => import("@/hosts/hosts-page").then((m) => ({ default: m.HostsPage })));
const ConfigsPage = lazy(() => import("@/configs/configs-page").then((m) => ({ default: m.ConfigsPage })));
const UsersPage = lazy(() => import("@/users/users-page").then((m) => ({ default: m.UsersPage })));
const SystemConfigPage = lazy(() =>
  import("@/settings/system-config-page").then((m) => ({ default: m.SystemConfigPage })),
);
const RenewalsPage = lazy(() => import("@/renewals/renewals-page").then((m) => ({ default: m.RenewalsPage })));
const OwnRenewalsPage = lazy(() =>
  import("@/renewals/own-renewals-page").then((m) => ({ default: m.OwnRenewalsPage })),
);
const AccountPage = lazy(() => import("@/account/account-page").then((m) => ({ default: m.AccountPage })));
const ComingPage = lazy(() => import("@/system-pages/coming-page").then((m) => ({ default: m.ComingPage })));

/** Every page behind the sign-in, first match wins. Login, change of password and the pages that need no session are in app.tsx. */
export const ROUTES: readonly AppRoute[] = [
  { path: "/dashboard", title: "仪表盘", page: DashboardPage },
  { path: "/hosts", title: "主机管理", page: HostsPage },
  { path: "/account", title: "个人设置", page: AccountPage },
  ...managed("/users", "用户管理", UsersPage),
  ...managed("/configs", "配置管理", ConfigsPage),
  ...managed("/system-config", "系统配置", SystemConfigPage),
  ...managed("/renewals", "续费管理", RenewalsPage),
  { path: "/super-admin/hosts", title: "主机管理", page: HostsPage, ...SUPER_ADMIN },
  { path: "/client/renewals", title: "我的续费", page: OwnRenewalsPage, roles: ["client"] },
  { path: "/admin/renewals", title: "续费申请", page: RenewalsPage, roles: ["admin"] },
  { path: "/super-admin/*?", title: "开发中", page: ComingPage, ...SUPER_ADMIN },
  { path: "/admin/*?", title: "开发中", page: ComingPage, roles: ["admin"] },
  { path: "/client/*?", title: "开发中", page: ComingPage, roles: ["client"] },
];

/** The management screens have a second address each. */
function managed(path: string, title: string, page: ComponentType): AppRoute[] {
  return [
    { path, title, page, ...SUPER_ADMIN },
    { path: `/super-admin${path}`, title, page, ...SUPER_ADMIN },
  ];
}
