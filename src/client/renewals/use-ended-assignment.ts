import type { Renewal } from "@shared/renewals.ts";
import { useState } from "react";
import { trpc } from "@/trpc";

/**
 * Whether the assignment that is to be renewed has ended, so that the request can never be completed: the client does not have the
 * host any more, or has it anew until another day. The two answers are compared only while neither is asked for again, because a
 * moved period reaches them one after the other; in between it stands as it stood. False where the host cannot be read.
 */
export function useEndedAssignment({ id, host, user }: Renewal): boolean {
  const request = trpc.renewals.get.useQuery({ id }, { staleTime: 0 });
  const assigned = trpc.hosts.get.useQuery({ id: host.id }, { staleTime: 0 });
  const [wasEnded, setEnded] = useState(false);
  if (request.isFetching || assigned.isFetching) return wasEnded;
  const isEnded =
    request.isSuccess &&
    assigned.isSuccess &&
    assigned.data.users.find((one) => one.id === user.id)?.assignedExpireTime !== request.data.assignedExpireTime;
  if (isEnded !== wasEnded) setEnded(isEnded);
  return isEnded;
}
