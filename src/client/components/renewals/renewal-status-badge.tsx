import { RENEWAL_STATUS_LABELS, type RenewalStatus } from "@shared/renewal-status.ts";
import { Badge, type BadgeTone } from "@/components/ui/badge";

export const renewalTones: Readonly<Record<RenewalStatus, BadgeTone>> = {
  pending: "warning",
  approved: "info",
  rejected: "danger",
  completed: "success",
  cancelled: "neutral",
};

export function RenewalStatusBadge({ status }: { status: RenewalStatus }) {
  return <Badge tone={renewalTones[status]}>{RENEWAL_STATUS_LABELS[status]}</Badge>;
}
