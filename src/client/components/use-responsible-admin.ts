import { useCurrentUser } from "@/session/session";

/**
 * Whom a client is told to ask, for the middle of a sentence: `管理员“李管理”`, or who else it may be
 * where nobody is responsible. `AdminContact` behind it says how.
 */
export function useResponsibleAdmin(): string {
  const { admin } = useCurrentUser();
  return admin === null ? "为您开通账号的人员" : `管理员“${admin.name}”`;
}
