import type { Host } from "@shared/hosts.ts";
import { CalendarPlus } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { RenewalApplyDialog } from "./renewal-apply-dialog";

/** Where a client sees an own host: opens the application for it. */
export function RenewButton({ host }: { host: Pick<Host, "id"> }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button size="sm" variant="outline" onClick={() => setOpen(true)}>
        <CalendarPlus aria-hidden="true" />
        申请续费
      </Button>
      <RenewalApplyDialog hostId={host.id} open={isOpen} onOpenChange={setOpen} />
    </>
  );
}
