import type { Role } from "@shared/roles.ts";

/** Where this role sees a request with its details. */
export function renewalPath(role: Role, id: string): string {
  return `${listPath(role)}?renewal=${id}`;
}

function listPath(role: Role): string {
  switch (role) {
    case "super_admin":
      return "/renewals";
    case "admin":
      return "/admin/renewals";
    case "client":
      return "/client/renewals";
  }
}
