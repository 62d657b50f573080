import type { AuditEntry, AuditOutcome } from "@shared/audit.ts";
import { auditOutcomeText, isSecondFactorAwaited } from "@shared/audit-values.ts";
import { CircleCheck, CircleX, Hourglass, type LucideIcon, ShieldAlert } from "lucide-react";
import { Badge, type BadgeTone } from "@/components/ui/badge";

interface Look {
  readonly tone: BadgeTone;
  readonly icon: LucideIcon;
}

const LOOKS: Readonly<Record<AuditOutcome, Look>> = {
  ok: { tone: "neutral", icon: CircleCheck },
  denied: { tone: "danger", icon: ShieldAlert },
  failed: { tone: "warning", icon: CircleX },
};
const AWAITED: Look = { tone: "neutral", icon: Hourglass };

/** `count` says how many equal ones the entry stands for. */
type OutcomeBadgeProps = {
  entry: Pick<AuditEntry, "action" | "outcome" | "changes" | "count">;
};

export function OutcomeBadge({ entry }: OutcomeBadgeProps) {
  const { outcome, count } = entry;
  const { tone, icon: Icon } = isSecondFactorAwaited(entry) ? AWAITED : LOOKS[outcome];
  return (
    <Badge tone={tone}>
      <Icon />
      {auditOutcomeText(entry)}
      {count > 1 ? ` × ${count}` : ""}
    </Badge>
  );
}
