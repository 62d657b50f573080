import { isClient } from "@shared/roles.ts";
import { useLocation } from "wouter";
import { useLiveEvent } from "@/live-updates";
import { useCurrentUser } from "@/session";
import { announceCancelled, announceCreated, announceDecision, announceProcessed, announceWithdrawn } from "./announce";
import { renewalPath } from "./renewal-path";

/** Tells of requests that come, go and are decided, on whatever page one is. Draws nothing. */
export function RenewalNotices() {
  const { id: ownId, role } = useCurrentUser();
  const [, navigate] = useLocation();
  const isOwner = isClient(role);
  const open = (id: string) => navigate(renewalPath(role, id));
  useLiveEvent("renewal.created", ({ data: renewal }) => {
    // The client's own form has said so already.
    if (!isOwner) announceCreated(renewal, open);
  });
  useLiveEvent("renewal.processed", ({ data: renewal }) => {
    if (isOwner) announceDecision(renewal, open);
    else if (renewal.processedBy?.id !== ownId) announceProcessed(renewal, open);
  });
  useLiveEvent("renewal.cancelled", ({ data: renewal }) => {
    if (isOwner) announceCancelled(renewal);
    else announceWithdrawn(renewal);
  });
  return null;
}
