import { HOST_STATUS_LABELS, type Host, type HostStatus } from "@shared/hosts.ts";
import { Badge, type BadgeTone, StatusDot } from "@/components/ui/badge";
import { useNow } from "@/lib/use-now";
import { StaleMark } from "./stale-mark";
import { transitionOf } from "./transition";

type HostStatusProps = { host: Pick<Host, "status" | "goneAt"> };

export const STATUS_TONES: Readonly<Record<HostStatus, BadgeTone>> = {
  Running: "success",
  Stopped: "neutral",
  Starting: "info",
  Stopping: "info",
  Rebooting: "info",
  Unknown: "warning",
};

type HostStatusBadgeProps = { host: Pick<Host, "status" | "statusSince" | "goneAt"> };

/** `重启中 · 已 11 分钟`: what is in transition for too long stands out. */
export function HostStatusBadge({ host }: HostStatusBadgeProps) {
  const transition = transitionOf(host, useNow());
  if (host.goneAt !== null) return <Badge tone="danger">已消失</Badge>;

  return (
    // As large as the text that it stands in, and on its line.
    <Badge
      dot
      tone={STATUS_TONES[host.status]}
      className="h-auto text-[length:inherit] font-normal"
    >
      {HOST_STATUS_LABELS[host.status]}
      {transition === null ? null : (
        <span className={transition.isTooLong ? "text-warning-ink" : "text-muted-foreground"}>
          {`· ${transition.text}`}
        </span>
      )}
    </Badge>
  );
}

/** In lists: the state, and whether it may not be the present one any more. */
export function HostStatusCell({
  host,
}: {
  host: Pick<Host, "status" | "statusSince" | "goneAt" | "isStale">;
}) {
  return (
    <span className="inline-flex shrink-0 items-center gap-1.5">
      <HostStatusBadge host={host} />
      <StaleMark host={host} />
    </span>
  );
}

export function HostStatusDot({ host: { status, goneAt } }: HostStatusProps) {
  const tone = goneAt === null ? STATUS_TONES[status] : "danger";
  return (
    <>
      <StatusDot tone={tone} pulse={tone === "info"} />
      <span className="sr-only">{goneAt === null ? HOST_STATUS_LABELS[status] : "已消失"}</span>
    </>
  );
}
