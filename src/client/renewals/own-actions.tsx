import type { Renewal } from "@shared/renewals.ts";
import { Button } from "@/components/ui/button";
import { useCancelRenewal } from "./use-cancel-renewal";

/** What a client may do with an own request: take it back while nobody has decided. */
export function OwnActions({ renewal }: { renewal: Renewal }) {
  const cancel = useCancelRenewal(renewal);
  return (
    <>
      {renewal.status === "pending" ? (
        <Button variant="outline" className="text-danger-ink" onClick={cancel.ask}>
          取消申请
        </Button>
      ) : null}
      {cancel.confirmDialog}
    </>
  );
}
