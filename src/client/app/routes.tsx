import { type LazyPage, lazyPage } from "@/lib/lazy";
import type { Access } from "./route-guard";
import { UnderDevelopmentPage } from "./system-pages";

type AppRoute = Access & {
  /** wouter pattern; `*?` at the end takes everything below. */
  path: string;
  title: string;
  page: LazyPage | typeof UnderDevelopmentPage;
};

const SUPER_ADMIN = { roles: ["super_admin"] } as const;

const DashboardPage = lazyPage(() =>
  import("@/features/dashboard/dashboard-page").then((m) => m.DashboardPage),
);
const HostsPage = lazyPage(() => import("@/features/hosts/hosts-page").then((m) => m.HostsPage));
const HeldRemovalsPage = lazyPage(() =>
  import("@/features/held-removals/held-removals-page").then((m) => m.HeldRemovalsPage),
);
const ConfigsPage = lazyPage(() =>
  import("@/features/configs/configs-page").then((m) => m.ConfigsPage),
);
const UsersPage = lazyPage(() => import("@/features/users/users-page").then((m) => m.UsersPage));
const UserPage = lazyPage(() => import("@/features/users/user-page").then((m) => m.UserPage));
const UsersImportPage = lazyPage(() =>
  import("@/features/imports/users-import-page").then((m) => m.UsersImportPage),
);
const AssignmentsImportPage = lazyPage(() =>
  import("@/features/imports/assignments-import-page").then((m) => m.AssignmentsImportPage),
);
const MyClientsPage = lazyPage(() =>
  import("@/features/my-clients/my-clients-page").then((m) => m.MyClientsPage),
);
const ChangesPage = lazyPage(() =>
  import("@/features/changes/changes-page").then((m) => m.ChangesPage),
);
const NoticeSettingsPage = lazyPage(() =>
  import("@/features/notice-settings/notice-settings-page").then((m) => m.NoticeSettingsPage),
);
const AuditPage = lazyPage(() => import("@/features/audit/audit-page").then((m) => m.AuditPage));
const SystemConfigPage = lazyPage(() =>
  import("@/features/settings/system-config-page").then((m) => m.SystemConfigPage),
);
const RenewalsPage = lazyPage(() =>
  import("@/features/renewals/renewals-page").then((m) => m.RenewalsPage),
);
const OwnRenewalsPage = lazyPage(() =>
  import("@/features/renewals/own-renewals-page").then((m) => m.OwnRenewalsPage),
);
const NoticesPage = lazyPage(() =>
  import("@/features/notices/notices-page").then((m) => m.NoticesPage),
);
const AccountPage = lazyPage(() =>
  import("@/features/account/account-page").then((m) => m.AccountPage),
);

/**
 * Every page behind the sign-in, first match wins. Login, change of password and the pages that
 * need no session are in app.tsx.
 */
export const ROUTES: readonly AppRoute[] = [
  { path: "/dashboard", title: "仪表盘", page: DashboardPage },
  { path: "/hosts", title: "主机管理", page: HostsPage },
  { path: "/hosts/held", title: "待确认消失", page: HeldRemovalsPage, ...SUPER_ADMIN },
  { path: "/hosts/import", title: "导入分配", page: AssignmentsImportPage, ...SUPER_ADMIN },
  { path: "/notices", title: "通知", page: NoticesPage },
  { path: "/account", title: "个人设置", page: AccountPage },
  ...managed("/users", "用户管理", UsersPage),
  { path: "/my-clients", title: "我的用户", page: MyClientsPage, roles: ["admin"] },
  { path: "/users/import", title: "导入用户", page: UsersImportPage, ...SUPER_ADMIN },
  { path: "/users/:id", title: "用户", page: UserPage, permissions: ["users:read"] },
  { path: "/changes", title: "最近变更", page: ChangesPage, ...SUPER_ADMIN },
  ...managed("/configs", "配置管理", ConfigsPage),
  { path: "/notice-settings", title: "通知设置", page: NoticeSettingsPage, ...SUPER_ADMIN },
  { path: "/audit", title: "审计日志", page: AuditPage, permissions: ["audit:read"] },
  ...managed("/system-config", "系统配置", SystemConfigPage),
  ...managed("/renewals", "续费管理", RenewalsPage),
  { path: "/super-admin/hosts", title: "主机管理", page: HostsPage, ...SUPER_ADMIN },
  { path: "/client/renewals", title: "我的续费", page: OwnRenewalsPage, roles: ["client"] },
  { path: "/admin/renewals", title: "续费申请", page: RenewalsPage, roles: ["admin"] },
  { path: "/super-admin/*?", title: "开发中", page: UnderDevelopmentPage, ...SUPER_ADMIN },
  { path: "/admin/*?", title: "开发中", page: UnderDevelopmentPage, roles: ["admin"] },
  { path: "/client/*?", title: "开发中", page: UnderDevelopmentPage, roles: ["client"] },
];

/** The management screens have a second address each. */
function managed(path: string, title: string, page: LazyPage): AppRoute[] {
  return [
    { path, title, page, ...SUPER_ADMIN },
    { path: `/super-admin${path}`, title, page, ...SUPER_ADMIN },
  ];
}

export function prefetchPage(pathname: string): void {
  const page = ROUTES.find(({ path }) => path === pathname)?.page;
  if (page !== undefined && "prefetch" in page) page.prefetch();
}
