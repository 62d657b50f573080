import { CircleAlert, CircleMinus, CirclePlus, type LucideIcon, PencilLine } from "lucide-react";
import { cn } from "@/lib/cn";
import { ROW_STATE_LABELS, type RowState } from "./import-rows";

const LOOKS: Readonly<Record<RowState, { icon: LucideIcon; tone: string }>> = {
  create: { icon: CirclePlus, tone: "text-success-ink" },
  update: { icon: PencilLine, tone: "text-info-ink" },
  skip: { icon: CircleMinus, tone: "text-muted-foreground" },
  failed: { icon: CircleAlert, tone: "text-danger-ink" },
};

export function RowStateIcon({ state }: { state: RowState }) {
  const { icon: Icon, tone } = LOOKS[state];
  return <Icon className={cn("size-4 shrink-0", tone)} />;
}

export function RowStateMark({ state }: { state: RowState }) {
  return (
    <span className={cn("inline-flex items-center gap-1.5 whitespace-nowrap", LOOKS[state].tone)}>
      <RowStateIcon state={state} />
      {ROW_STATE_LABELS[state]}
    </span>
  );
}
