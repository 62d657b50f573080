import type { Role } from "@shared/roles.ts";
import { trpc } from "@/api/trpc";

/** How many active users of the role have no second factor; undefined while that is not known. */
export function useUsersWithout(role: Role): number | undefined {
  const filter = { role, isActive: true, secondFactorEnabled: false, limit: 1 } as const;
  return trpc.users.list.useQuery(filter).data?.pagination.total;
}
