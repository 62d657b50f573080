import type { Host } from "@shared/hosts.ts";
import type { Renewal } from "@shared/renewals.ts";
import { extendedExpiry } from "@shared/time.ts";
import { trpc } from "@/api/trpc";
import { useNow } from "@/lib/use-now";

type Extension = {
  /** The client's end with the requested days; Unix seconds, as everywhere here. */
  end: number;
  /** The request's host; undefined while it loads. */
  host: Host | undefined;
  /** A host that is gone at the provider is not extended. */
  isGone: boolean;
};

/** What completing a request leads to. How its host ends at the provider, only the host says. */
export function useExtension({ assignedExpireTime, requestedDuration, host }: Renewal): Extension {
  const { data } = trpc.hosts.get.useQuery({ id: host.id });
  const end = extendedExpiry(assignedExpireTime, requestedDuration, useNow());

  return { end, host: data, isGone: data !== undefined && data.goneAt !== null };
}
