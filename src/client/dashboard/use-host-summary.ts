import { AGEING_MS } from "@/lib/ageing";
import { trpc } from "@/trpc";

/** The caller's hosts in numbers, also as the days go by. */
export function useHostSummary() {
  return trpc.hosts.summary.useQuery(undefined, { refetchInterval: AGEING_MS });
}
