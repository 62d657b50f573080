import type { Role } from "../../src/shared/roles.ts";
import { CONFLICT, DONE, FORBIDDEN, INVALID, MADE, MISSING, UNAUTHENTICATED, type Verdict } from "./random-actions.ts";

/** A user as the rules say it must be; `isSignedIn` while the session that the cast begins with lives. */
export interface ModelUser {
  readonly id: string;
  readonly username: string;
  readonly role: Role;
  isActive: boolean;
  adminId: string | null;
  mustChangePassword: boolean;
  isSignedIn: boolean;
}

export interface WantedUser {
  readonly username: string;
  readonly role: Role;
  readonly adminId?: string | null | undefined;
}

export interface UserChange {
  readonly isActive?: boolean | undefined;
  readonly adminId?: string | null | undefined;
}

/** The rules of users, told a second time and in the simplest way. Every call answers its verdict and changes the model accordingly. */
export function usersModel(cast: readonly ModelUser[]) {
  const users = new Map(cast.map((user) => [user.id, { ...user }]));
  const all = () => [...users.values()];

  function refusalOf(actor: string): Verdict | null {
    const caller = users.get(actor);
    if (!caller?.isSignedIn) return UNAUTHENTICATED;
    return caller.role === "super_admin" ? null : FORBIDDEN;
  }
  function isActiveAdmin(id: string): boolean {
    const user = users.get(id);
    return user?.role === "admin" && user.isActive;
  }
  function isLastSuperAdmin({ id, role }: ModelUser): boolean {
    const others = all().filter((user) => user.role === "super_admin" && user.isActive && user.id !== id);
    return role === "super_admin" && others.length === 0;
  }
  function mayHave(role: Role, adminId: string | null | undefined): boolean {
    return typeof adminId !== "string" || (role === "client" && isActiveAdmin(adminId));
  }
  function untieClientsOf(adminId: string): void {
    for (const user of all()) if (user.adminId === adminId) user.adminId = null;
  }

  return {
    all,
    signedIn: () => all().filter(({ isSignedIn }) => isSignedIn),

    create(actor: string, { username, role, adminId }: WantedUser): Verdict {
      const refusal = refusalOf(actor);
      if (refusal !== null) return refusal;
      if (role === "super_admin" || !mayHave(role, adminId)) return INVALID;
      return all().some((user) => user.username.toLowerCase() === username.toLowerCase()) ? CONFLICT : MADE;
    },

    created(id: string, { username, role, adminId = null }: WantedUser): void {
      const fresh = { isActive: true, mustChangePassword: false, isSignedIn: false };
      users.set(id, { id, username, role, adminId, ...fresh });
    },

    update(actor: string, id: string, { isActive, adminId }: UserChange): Verdict {
      const refusal = refusalOf(actor);
      if (refusal !== null) return refusal;
      const user = users.get(id);
      if (user === undefined) return MISSING;
      if (!mayHave(user.role, adminId)) return INVALID;
      if (isActive === false && (id === actor || isLastSuperAdmin(user))) return CONFLICT;
      user.isActive = isActive ?? user.isActive;
      if (adminId !== undefined) user.adminId = adminId;
      if (isActive === false) {
        user.isSignedIn = false;
        untieClientsOf(id);
      }
      return DONE;
    },

    delete(actor: string, id: string): Verdict {
      const refusal = refusalOf(actor);
      if (refusal !== null) return refusal;
      const user = users.get(id);
      if (user === undefined) return MISSING;
      if (id === actor || isLastSuperAdmin(user)) return CONFLICT;
      users.delete(id);
      untieClientsOf(id);
      return DONE;
    },

    reset(actor: string, id: string): Verdict {
      const refusal = refusalOf(actor);
      if (refusal !== null) return refusal;
      const user = users.get(id);
      if (user === undefined) return MISSING;
      if (id === actor) return CONFLICT;
      user.mustChangePassword = true;
      user.isSignedIn = false;
      return DONE;
    },

    get(actor: string, id: string): Verdict {
      const caller = users.get(actor);
      if (!caller?.isSignedIn) return UNAUTHENTICATED;
      if (caller.role === "client") return FORBIDDEN;
      const user = users.get(id);
      const isVisible = caller.role === "super_admin" || id === actor || user?.adminId === actor;
      return user !== undefined && isVisible ? DONE : MISSING;
    },

    /** Whom this caller's list holds. */
    listOf({ id, role }: ModelUser): ModelUser[] {
      return role === "super_admin" ? all() : all().filter(({ adminId }) => adminId === id);
    },
  };
}
