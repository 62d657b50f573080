import type { Host } from "@shared/hosts.ts";
import { extendedExpiry } from "@shared/time.ts";
import { CalendarClock, CalendarPlus } from "lucide-react";
import { useState } from "react";
import { Button, type ButtonProps } from "@/components/ui/button";
import { follow, MIDDLE_BUTTON } from "@/lib/follow";
import { formatDate } from "@/lib/format";
import { lazyDialog } from "@/lib/lazy";
import { useNow } from "@/lib/use-now";
import { renewalPath } from "./renewal-path";

const RenewalApplyDialog = lazyDialog(() =>
  import("./renewal-apply-dialog").then((m) => m.RenewalApplyDialog),
);

type RenewalButtonProps = Pick<ButtonProps, "size" | "variant"> & {
  host: Pick<Host, "id" | "expireTime" | "openRenewal">;
  /** Beside a text that says what the open request means. */
  isBrief?: boolean;
};

/**
 * On a client's own host: opens the application for it, or the open request. One button for both,
 * so that the focus comes back to it from the dialog that has just made a request.
 */
export function RenewalButton({ host, isBrief = false, ...button }: RenewalButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const request = host.openRenewal;
  const href = request === null ? null : renewalPath("client", request.id);
  const Icon = request === null ? CalendarPlus : CalendarClock;
  const label = useLabel(host, isBrief);

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
        {label}
      </Button>
      <RenewalApplyDialog hostId={host.id} open={isOpen} onOpenChange={setOpen} />
    </>
  );
}

/** An approved request says what the client has to do, and what follows from it. */
function useLabel(host: RenewalButtonProps["host"], isBrief: boolean): string {
  const now = useNow();
  const { expireTime, openRenewal } = host;
  if (openRenewal === null) return "申请续费";
  if (isBrief || openRenewal.status !== "approved" || expireTime === null) return "查看申请";

  const end = extendedExpiry(expireTime, openRenewal.requestedDuration, now);
  return `待付款 · 续费后到 ${formatDate(end)}`;
}
