import type { Renewal } from "@shared/renewals.ts";
import { isClient } from "@shared/roles.ts";
import { useLocation } from "wouter";
import { useLiveEvent } from "@/live-updates";
import { useCurrentUser } from "@/session";
import { trpc } from "@/trpc";
import { announceCancelled, announceCreated, announceDecision, announceProcessed, announceWithdrawn } from "./announce";
import { renewalPath } from "./renewal-path";

/** Shows a toast for every renewal request that is made, decided or cancelled, on whatever page the user is. Draws nothing. */
export function RenewalNotices() {
  const { id: ownId, role } = useCurrentUser();
  const [, navigate] = useLocation();
  const utils = trpc.useUtils();
  const isOwner = isClient(role);
  const open = (id: string) => navigate(renewalPath(role, id));
  /** The event carries the id only; a request that cannot be read, because its scope changed, gets no toast. */
  const withRenewal = (id: string, announce: (renewal: Renewal) => void) =>
    void utils.renewals.get.fetch({ id }, { staleTime: 0 }).then(announce, () => undefined);

  useLiveEvent("renewal.created", ({ data: { id } }) => {
    // The client's own form has said so already.
    if (!isOwner) withRenewal(id, (renewal) => announceCreated(renewal, open));
  });
  useLiveEvent("renewal.processed", ({ data: { id } }) => {
    withRenewal(id, (renewal) => {
      if (isOwner) announceDecision(renewal, open);
      else if (renewal.processedBy?.id !== ownId) announceProcessed(renewal, open);
    });
  });
  useLiveEvent("renewal.cancelled", ({ data: { id } }) => {
    withRenewal(id, isOwner ? announceCancelled : announceWithdrawn);
  });
  return null;
}
