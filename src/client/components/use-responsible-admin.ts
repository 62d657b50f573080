import { useCurrentUser } from "@/session/session";

/**
 * Whom a client is told to ask, for the middle of a sentence: `管理员“李管理”`, or only `管理员` where
 * nobody is responsible. A client is not told more of the admin than the name.
 */
export function useResponsibleAdmin(): string {
  const { admin } = useCurrentUser();
  return admin === null ? "管理员" : `管理员“${admin.name}”`;
}
