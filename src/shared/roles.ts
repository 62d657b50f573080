export const ROLES = ["super_admin", "admin", "client"] as const;
export type Role = (typeof ROLES)[number];

export const ROLE_LABELS: Readonly<Record<Role, string>> = {
  super_admin: "超级管理员",
  admin: "管理员",
  client: "C端用户",
};

export const PERMISSIONS = {
  super_admin: [
    "users:read",
    "users:create",
    "users:update",
    "users:delete",
    "hosts:read",
    "hosts:create",
    "hosts:update",
    "hosts:delete",
    "hosts:assign",
    "hosts:sync",
    "configs:read",
    "configs:create",
    "configs:update",
    "configs:delete",
    "configs:test",
    "renewals:read",
    "renewals:process",
    "audit:read",
  ],
  admin: ["users:read", "hosts:read", "renewals:read"],
  client: ["hosts:read", "renewals:read", "renewals:create", "renewals:delete"],
} as const satisfies Record<Role, readonly string[]>;

export type Permission = (typeof PERMISSIONS)[Role][number];

export function hasPermission(role: Role, permission: Permission): boolean {
  const granted: readonly Permission[] = PERMISSIONS[role];
  return granted.includes(permission);
}

export function hasAnyPermission(role: Role, permissions: readonly Permission[]): boolean {
  return permissions.some((permission) => hasPermission(role, permission));
}

export function hasAllPermissions(role: Role, permissions: readonly Permission[]): boolean {
  return permissions.every((permission) => hasPermission(role, permission));
}

export function isSuperAdmin(role: Role): boolean {
  return role === "super_admin";
}

export function isAdmin(role: Role): boolean {
  return role === "admin";
}

export function isClient(role: Role): boolean {
  return role === "client";
}

export function isAdminOrAbove(role: Role): boolean {
  return role === "super_admin" || role === "admin";
}
