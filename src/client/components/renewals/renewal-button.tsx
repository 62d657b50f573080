import type { Host } from "@shared/hosts.ts";
import { CalendarClock, CalendarPlus } from "lucide-react";
import { useState } from "react";
import { Button, type ButtonProps } from "@/components/ui/button";
import { follow, MIDDLE_BUTTON } from "@/lib/follow";
import { lazyDialog } from "@/lib/lazy";
import { renewalPath } from "./renewal-path";
import { useOpenRequests } from "./use-open-requests";

const RenewalApplyDialog = lazyDialog(() =>
  import("./renewal-apply-dialog").then((m) => m.RenewalApplyDialog),
);

/**
 * On a client's own host: opens the application for it, or the open request. One button for both,
 * so that the focus comes back to it from the dialog that has just made a request.
 */
export function RenewalButton({
  host,
  ...button
}: { host: Pick<Host, "id"> } & Pick<ButtonProps, "size" | "variant">) {
  const [isOpen, setOpen] = useState(false);
  const openId = useOpenRequests().get(host.id);
  const href = openId === undefined ? null : renewalPath("client", openId);
  const Icon = openId === undefined ? CalendarPlus : CalendarClock;

  return (
    <>
      <Button
        size="sm"
        variant="outline"
        {...button}
        onClick={(event) => (href === null ? setOpen(true) : follow(event, href))}
        onAuxClick={(event) => {
          if (href !== null && event.button === MIDDLE_BUTTON) follow(event, href);
        }}
      >
        <Icon />
        {openId === undefined ? "申请续费" : "查看申请"}
      </Button>
      <RenewalApplyDialog hostId={host.id} open={isOpen} onOpenChange={setOpen} />
    </>
  );
}
