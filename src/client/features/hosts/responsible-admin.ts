import { useCurrentUser } from "@/session/session";

/** Whom a client asks: `负责管理员 李管理`, or an admin where nobody is named. */
export function useResponsibleAdmin(): string {
  const { admin } = useCurrentUser();
  return admin === null ? "管理员" : `负责管理员 ${admin.name}`;
}
