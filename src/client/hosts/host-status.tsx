import { HOST_STATUS_LABELS, type Host, type HostStatus } from "@shared/hosts.ts";
import { Badge, type BadgeTone, StatusDot } from "@/components/ui/badge";

const tones: Readonly<Record<HostStatus, BadgeTone>> = {
  Running: "success",
  Stopped: "neutral",
  Starting: "info",
  Stopping: "info",
  Rebooting: "info",
  Unknown: "warning",
};

type HostStatusProps = { host: Pick<Host, "status" | "goneAt"> };

/** Dot and word. A host that is gone at the provider has no status worth showing. */
export function HostStatusBadge({ host }: HostStatusProps) {
  if (host.goneAt !== null) return <Badge tone="danger">已消失</Badge>;
  return (
    <Badge dot tone={tones[host.status]}>
      {HOST_STATUS_LABELS[host.status]}
    </Badge>
  );
}

export function HostStatusDot({ host }: HostStatusProps) {
  const isGone = host.goneAt !== null;
  return (
    <>
      <StatusDot tone={isGone ? "danger" : tones[host.status]} pulse={!isGone && tones[host.status] === "info"} />
      <span className="sr-only">{isGone ? "已消失" : HOST_STATUS_LABELS[host.status]}</span>
    </>
  );
}
