import { NOTICE_TYPE_LABELS, type NoticeType } from "@shared/notices.ts";
import type { Reminder, ReminderDelivery, ReminderHost } from "@shared/reminders.ts";
import { useState } from "react";
import { Link } from "wouter";
import { TimeOfDay } from "@/components/history/changed-host";
import { RelativeTime } from "@/components/relative-time";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { formatDate } from "@/lib/format";
import { formatNumber } from "@/lib/format-number";
import { DeliveryState } from "../delivery-state";

/** One message: to whom, about what, and how it left the console. */
export function ReminderLine({ reminder }: { reminder: Reminder }) {
  const { type, recipient, createdAt } = reminder;
  const occasion = occasionOf(reminder);

  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-1.5 px-3.5 py-3">
      <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
        <Link
          href={`/users/${recipient.id}`}
          className="min-w-0 rounded-sm font-medium text-primary-ink [overflow-wrap:anywhere] hover:underline"
        >
          {recipient.name}
        </Link>
        <Badge tone={isOver(type) ? "danger" : "warning"}>{NOTICE_TYPE_LABELS[type]}</Badge>
        {occasion === null ? null : (
          <span className="text-sm text-muted-foreground">{occasion}</span>
        )}
        <span className="ml-auto">
          <TimeOfDay at={createdAt} />
        </span>
      </div>
      <Hosts reminder={reminder} />
      <Deliveries deliveries={reminder.deliveries} />
    </li>
  );
}

function isOver(type: NoticeType): boolean {
  return type === "assignment.expired" || type === "host.expired";
}

/** Which marks its hosts have, or that a person sent it. The type says that an end has passed. */
function occasionOf({ type, mark, hosts }: Reminder): string | null {
  if (mark === null) return isOver(type) ? null : "人工发送";

  const marks = new Set([mark, ...hosts.flatMap((host) => host.mark ?? [])]);
  const days = [...marks].filter((each) => each > 0).toSorted((a, b) => a - b);
  const parts = marks.has(0) ? ["到期当天"] : [];
  if (days.length > 0) parts.push(`提前 ${days.join("、")} 天`);
  return parts.join("，");
}

/** Hosts of a line before somebody asks for the others. */
const SHOWN_HOSTS = 4;

/** Those that end first, and how many there are besides. */
function Hosts({ reminder: { hosts, hostCount } }: { reminder: Reminder }) {
  const [areAllShown, setAllShown] = useState(false);
  const shown = areAllShown ? hosts : hosts.slice(0, SHOWN_HOSTS);
  const others = hostCount - shown.length;
  const canShowMore = shown.length < hosts.length;

  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm">
      <ul className="contents">
        {shown.map((host) => (
          <HostItem key={`${host.hostId} ${host.expireTime}`} host={host} />
        ))}
      </ul>
      {others > 0 && canShowMore ? (
        <Button variant="ghost" size="sm" className="-mx-2" onClick={() => setAllShown(true)}>
          {othersText(others)}
        </Button>
      ) : null}
      {others > 0 && !canShowMore ? (
        <span className="text-muted-foreground">{othersText(others)}</span>
      ) : null}
    </div>
  );
}

function othersText(count: number): string {
  return `另有 ${formatNumber(count)} 台`;
}

function HostItem({ host: { hostId, hostName, expireTime } }: { host: ReminderHost }) {
  return (
    <li className="flex min-w-0 flex-wrap gap-x-1.5 [overflow-wrap:anywhere]">
      <Link href={`/hosts?host=${hostId}`} className="rounded-sm text-primary-ink hover:underline">
        {hostName}
      </Link>
      <span className="whitespace-nowrap text-muted-foreground tabular-nums">
        {formatDate(expireTime)} 到期
      </span>
    </li>
  );
}

function Deliveries({ deliveries }: { deliveries: readonly ReminderDelivery[] }) {
  if (deliveries.length === 0) {
    return (
      <p className="text-sm text-muted-foreground">只进入收件箱：当时没有启用的渠道发送这类通知</p>
    );
  }

  return (
    <ul aria-label="经渠道的发送" className="grid gap-1">
      {deliveries.map((delivery) => (
        <DeliveryItem key={delivery.channelId} delivery={delivery} />
      ))}
    </ul>
  );
}

function DeliveryItem({ delivery }: { delivery: ReminderDelivery }) {
  const { channelName, status, attempts, lastAttemptAt, error } = delivery;
  const isProblem = status === "failed" || status === "queued";

  return (
    <li className="flex flex-wrap items-baseline gap-x-2.5 text-sm">
      <span className="min-w-0 [overflow-wrap:anywhere]">{channelName}</span>
      <DeliveryState status={status} wasTried={attempts > 0} />
      {attempts > 1 ? (
        <span className="text-muted-foreground tabular-nums">{`尝试 ${attempts} 次`}</span>
      ) : null}
      {lastAttemptAt === null ? null : (
        <span className="text-muted-foreground tabular-nums">
          <RelativeTime at={lastAttemptAt} />
        </span>
      )}
      {error === null ? null : (
        <span className={isProblem ? "min-w-0 text-danger-ink" : "min-w-0 text-muted-foreground"}>
          {error}
        </span>
      )}
    </li>
  );
}
