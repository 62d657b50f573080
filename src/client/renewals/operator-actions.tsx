import type { Renewal } from "@shared/renewals.ts";
import { Button } from "@/components/ui/button";
import type { RenewalDecisions } from "./use-renewal-decisions";

type OperatorActionsProps = { renewal: Renewal; decisions: RenewalDecisions; size?: "sm" | "md" };

/** What the super admin may do with a request in its present state; nothing for one that is decided. */
export function OperatorActions({ renewal, decisions, size = "md" }: OperatorActionsProps) {
  switch (renewal.status) {
    case "pending":
      return (
        <Button size={size} onClick={() => decisions.process(renewal)}>
          处理
        </Button>
      );
    case "approved":
      return (
        <Button size={size} onClick={() => decisions.complete(renewal)}>
          标记完成
        </Button>
      );
    case "rejected":
    case "completed":
    case "cancelled":
      return null;
  }
}

export function isActionable({ status }: Renewal): boolean {
  return status === "pending" || status === "approved";
}
