import { hasAllPermissions, hasAnyPermission, type Permission, type Role } from "@shared/roles.ts";
import type { ReactNode } from "react";
import { Redirect } from "wouter";
import { useSession } from "@/session/session";

export type Access = {
  /** The caller's role must be among them. Absent: any role. */
  roles?: readonly Role[];
  /** One of them is enough, unless `requireAll`. Absent: none is needed. */
  permissions?: readonly Permission[];
  requireAll?: boolean;
  fallback?: string;
};

export function RouteGuard({
  fallback = "/unauthorized",
  children,
  ...access
}: Access & { children: ReactNode }) {
  const { user, reason } = useSession();
  if (user === null) {
    // Who leaves on purpose, or is followed by someone else, starts anew.
    return <RedirectTo path={reason === "logout" ? "/login" : loginPath()} />;
  }
  return mayEnter(user.role, access) ? children : <RedirectTo path={fallback} />;
}

export function mayEnter(
  role: Role,
  { roles, permissions, requireAll = false }: Omit<Access, "fallback">,
): boolean {
  if (roles !== undefined && !roles.includes(role)) return false;
  if (permissions === undefined || permissions.length === 0) return true;
  return requireAll ? hasAllPermissions(role, permissions) : hasAnyPermission(role, permissions);
}

/** The router's redirect fires once for its lifetime: the key gives every path its own. */
export function RedirectTo({ path }: { path: string }) {
  return <Redirect replace key={path} to={path} />;
}

export const HOME = "/dashboard";

/** The sign-in, with the address that was requested, query included, for the way back. */
function loginPath(): string {
  const target = `${location.pathname}${location.search}${location.hash}`;
  return target === "/" || target === HOME
    ? "/login"
    : `/login?${new URLSearchParams({ from: target })}`;
}

/** Where to go after the sign-in. Only an address of this console. */
export function returnPath(): string {
  const from = new URLSearchParams(location.search).get("from");
  const target = from?.startsWith("/") ? URL.parse(from, location.origin) : null;

  return target?.origin === location.origin
    ? `${target.pathname}${target.search}${target.hash}`
    : HOME;
}
