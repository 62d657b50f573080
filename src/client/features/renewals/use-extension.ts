import type { Host } from "@shared/hosts.ts";
import type { Renewal } from "@shared/renewals.ts";
import { extendedExpiry } from "@shared/time.ts";
import { trpc } from "@/api/trpc";
import { providerExpiry } from "@/components/hosts/host-facts";
import { useNow } from "@/lib/use-now";

type Extension = {
  /** The client's end with the requested days; Unix seconds, as everywhere here. */
  end: number;
  /** The request's host; undefined while it loads. */
  host: Host | undefined;
  /** A host that is gone at the provider is not extended. */
  isGone: boolean;
  /** The provider's end of a prepaid host, if it comes before `end`. */
  earlierProviderEnd: number | null;
};

/**
 * What completing a request leads to. The request does not say how its host is billed, and only
 * prepaid hosts have an end that counts: so the host is read.
 */
export function useExtension({ assignedExpireTime, requestedDuration, host }: Renewal): Extension {
  const query = trpc.hosts.get.useQuery({ id: host.id });
  const end = extendedExpiry(assignedExpireTime, requestedDuration, useNow());
  if (query.data === undefined) {
    return { end, host: undefined, isGone: false, earlierProviderEnd: null };
  }

  const providerEnd = providerExpiry(query.data);
  const isEarlier = providerEnd !== null && providerEnd < end;

  return {
    end,
    host: query.data,
    isGone: query.data.goneAt !== null,
    earlierProviderEnd: isEarlier ? providerEnd : null,
  };
}
