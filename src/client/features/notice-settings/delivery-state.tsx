import { DELIVERY_STATUS_LABELS, type DeliveryStatus } from "@shared/notice-channels.ts";
import { CircleCheck, CircleMinus, CircleX, Clock, type LucideIcon, RotateCw } from "lucide-react";
import { cn } from "@/lib/cn";

const LOOKS: Readonly<Record<DeliveryStatus, { icon: LucideIcon; ink: string }>> = {
  queued: { icon: Clock, ink: "text-info-ink" },
  sent: { icon: CircleCheck, ink: "text-success-ink" },
  failed: { icon: CircleX, ink: "text-danger-ink" },
  skipped: { icon: CircleMinus, ink: "text-muted-foreground" },
};
const RETRIED = { icon: RotateCw, ink: "text-warning-ink" } as const;

type DeliveryStateProps = {
  status: DeliveryStatus;
  /** It was tried, and failed, if it is still in the queue. */
  wasTried: boolean;
};

/** How it stands with a delivery, by icon and word. */
export function DeliveryState({ status, wasTried }: DeliveryStateProps) {
  const isRetried = status === "queued" && wasTried;
  const { icon: Icon, ink } = isRetried ? RETRIED : LOOKS[status];
  return (
    <span className={cn("inline-flex items-baseline gap-1 font-medium whitespace-nowrap", ink)}>
      <Icon className="size-3.5 shrink-0 self-center" />
      <span>{isRetried ? "未成功，将重试" : DELIVERY_STATUS_LABELS[status]}</span>
    </span>
  );
}
