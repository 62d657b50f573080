import { trpc } from "@/api/trpc";
import { EXPIRY_REFETCH_MS } from "@/lib/use-now";

/** How many hosts have ended at the provider although it was to renew them. Not for clients. */
export function useFailedRenewals() {
  return trpc.hosts.list.useQuery(
    { expired: true, autoRenew: true, limit: 1 },
    { refetchInterval: EXPIRY_REFETCH_MS },
  );
}
