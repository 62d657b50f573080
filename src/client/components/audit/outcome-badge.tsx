import { AUDIT_OUTCOME_LABELS, type AuditOutcome } from "@shared/audit.ts";
import { CircleCheck, CircleX, type LucideIcon, ShieldAlert } from "lucide-react";
import { Badge, type BadgeTone } from "@/components/ui/badge";

const LOOKS: Readonly<Record<AuditOutcome, { tone: BadgeTone; icon: LucideIcon }>> = {
  ok: { tone: "neutral", icon: CircleCheck },
  denied: { tone: "danger", icon: ShieldAlert },
  failed: { tone: "warning", icon: CircleX },
};

type OutcomeBadgeProps = {
  outcome: AuditOutcome;
  /** How many equal ones the entry stands for. */
  count: number;
};

export function OutcomeBadge({ outcome, count }: OutcomeBadgeProps) {
  const { tone, icon: Icon } = LOOKS[outcome];
  return (
    <Badge tone={tone}>
      <Icon />
      {AUDIT_OUTCOME_LABELS[outcome]}
      {count > 1 ? ` × ${count}` : ""}
    </Badge>
  );
}
