import type { Host } from "@shared/hosts.ts";
import { MAX_PAGE_SIZE } from "@shared/page.ts";
import { CalendarClock, CalendarPlus } from "lucide-react";
import { useState } from "react";
import { useLocation } from "wouter";
import { trpc } from "@/api/trpc";
import { Button } from "@/components/ui/button";
import { lazyDialog } from "@/lib/lazy-dialog";
import { renewalPath } from "./renewal-toasts";

const RenewalApplyDialog = lazyDialog(() => import("./renewal-apply-dialog").then((m) => m.RenewalApplyDialog));

/**
 * On a client's own host: opens the application for it, or the pending request. One button for both, so that the focus comes back to it
 * from the dialog that has just made a request.
 */
export function RenewButton({ host }: { host: Pick<Host, "id"> }) {
  const [isOpen, setOpen] = useState(false);
  const [, navigate] = useLocation();
  const pendingId = usePendingRequests().get(host.id);
  const Icon = pendingId === undefined ? CalendarPlus : CalendarClock;
  return (
    <>
      <Button
        size="sm"
        variant="outline"
        onClick={() => (pendingId === undefined ? setOpen(true) : navigate(renewalPath("client", pendingId)))}
      >
        <Icon aria-hidden="true" />
        {pendingId === undefined ? "申请续费" : "查看申请"}
      </Button>
      <RenewalApplyDialog hostId={host.id} open={isOpen} onOpenChange={setOpen} />
    </>
  );
}

/** The own pending requests: the id of each by its host's id. A host has at most one. */
export function usePendingRequests(): ReadonlyMap<string, string> {
  const pending = trpc.renewals.list.useQuery({ status: "pending", limit: MAX_PAGE_SIZE });
  return new Map(pending.data?.requests.map(({ id, host }) => [host.id, id]));
}
