import { HOST_STATUS_LABELS, type Host, UNSETTLED_STATUSES } from "@shared/hosts.ts";
import { hasPermission, isClient, type Role } from "@shared/roles.ts";
import { type Transition, transitionOf } from "@/components/hosts/transition";
import { Alert } from "@/components/ui/alert";
import { useNow } from "@/lib/use-now";
import { useCurrentUser } from "@/session/session";

/**
 * Of a host that is starting, stopping or rebooting: that it is looked after, when it is read next,
 * or that it takes too long. For some minutes the server asks the provider again by itself
 * (docs/sync.md, Settling), and an event brings what it finds, so nothing is asked for here. After
 * that, and where it is not known since when, only a sync brings news.
 */
export function TransitionNotice({ host }: { host: Host }) {
  const { role } = useCurrentUser();
  const now = useNow();
  if (host.goneAt !== null || !UNSETTLED_STATUSES.includes(host.status)) return null;

  const label = HOST_STATUS_LABELS[host.status];
  const transition = transitionOf(host, now);
  if (transition?.isTooLong !== true) {
    return <Alert tone="info">{`${label}：${nextReading(transition, role)}`}</Alert>;
  }
  return (
    <Alert tone="warning" title={`${label}的时间过长`}>
      {isClient(role)
        ? "系统会在下次同步时再次查询。如果一直如此，请联系管理员。"
        : "系统会在下次同步时再次查询。如果一直如此，请在云服务商处检查这台主机。"}
    </Alert>
  );
}

function nextReading(transition: Transition | null, role: Role): string {
  if (transition?.isWatched) return "系统正在自动查询，状态一有变化，这里会立即更新。";
  return hasPermission(role, "hosts:sync")
    ? "下次同步时更新，也可以点“同步此主机”。"
    : "下次同步时更新。";
}
