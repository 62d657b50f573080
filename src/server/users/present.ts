import type { Role } from "../../shared/roles.ts";
import type { User } from "../../shared/users.ts";

/** A user's row with the responsible admin's names beside it, as the queries of this folder read it. */
export interface UserWithAdmin {
  readonly id: string;
  readonly username: string;
  readonly name: string;
  readonly role: Role;
  readonly email: string | null;
  readonly phone: string | null;
  readonly is_active: boolean;
  readonly admin_id: string | null;
  readonly admin_name: string | null;
  readonly admin_username: string | null;
  readonly created_at: number;
  readonly must_change_password: boolean;
}

export function presentUser(row: UserWithAdmin): User {
  return {
    id: row.id,
    username: row.username,
    name: row.name,
    role: row.role,
    email: row.email,
    phone: row.phone,
    isActive: row.is_active,
    adminId: row.admin_id,
    admin: presentAdmin(row),
    createdAt: row.created_at,
    mustChangePassword: row.must_change_password,
  };
}

function presentAdmin({ admin_id, admin_name, admin_username }: UserWithAdmin): User["admin"] {
  if (admin_id === null || admin_name === null || admin_username === null) return null;
  return { id: admin_id, name: admin_name, username: admin_username };
}
