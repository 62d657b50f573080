import { NOTICE_SEVERITY_LABELS, type Notice } from "@shared/notices.ts";
import { Bell } from "lucide-react";
import { Link } from "wouter";
import { trpc } from "@/api/trpc";
import { EmptyState } from "@/components/empty-state";
import { QueryError } from "@/components/error-state";
import { RelativeTime } from "@/components/relative-time";
import { softTones } from "@/components/ui/badge";
import { cn } from "@/lib/cn";
import { HostNamesLine } from "./host-names-line";
import { SEVERITY_LOOKS } from "./notice-looks";
import { NoticesSkeleton } from "./notices-skeleton";
import { UnreadDot } from "./unread-dot";
import { useReadNotices } from "./use-read-notices";

const COUNT = 10;

type NewestNoticesProps = {
  /** A link was followed. */
  onLeave: () => void;
};

/** The list in the bell's popover. */
export function NewestNotices({ onLeave }: NewestNoticesProps) {
  const list = trpc.notices.list.useQuery({ limit: COUNT });
  if (list.isPending) return <NoticesSkeleton />;
  if (list.data === undefined) return <QueryError query={list} className="py-8" />;
  if (list.data.notices.length === 0) {
    return <EmptyState icon={Bell} title="暂无通知" className="py-8" />;
  }

  return (
    <ul aria-label="最新通知" className="min-h-0 divide-y overflow-y-auto overscroll-contain">
      {list.data.notices.map((notice) => (
        <li key={notice.id}>
          <NewestNotice notice={notice} onLeave={onLeave} />
        </li>
      ))}
    </ul>
  );
}

/** Leads to what the notice is about, else to the page of all. */
function NewestNotice({ notice, onLeave }: NewestNoticesProps & { notice: Notice }) {
  const { icon: Icon, tone } = SEVERITY_LOOKS[notice.severity];
  const { read } = useReadNotices();
  const isUnread = notice.readAt === null;

  return (
    <Link
      href={notice.link ?? "/notices"}
      onClick={() => {
        read(notice);
        onLeave();
      }}
      className="flex gap-3 px-3.5 py-2.5 -outline-offset-2 hover:bg-accent"
    >
      <span
        className={cn(softTones[tone], "mt-0.5 grid size-7 shrink-0 place-items-center rounded-md")}
      >
        <Icon role="img" aria-label={NOTICE_SEVERITY_LABELS[notice.severity]} className="size-4" />
      </span>
      <span className="min-w-0 flex-1">
        <span className="flex items-baseline justify-between gap-2">
          <span className={cn("min-w-0 [overflow-wrap:anywhere]", isUnread && "font-semibold")}>
            {notice.title}
          </span>
          <span className="flex shrink-0 items-center gap-1.5 text-xs text-muted-foreground">
            <RelativeTime at={notice.createdAt} />
            {isUnread ? <UnreadDot /> : null}
          </span>
        </span>
        <HostNamesLine notice={notice} />
        <span className="line-clamp-2 text-sm [overflow-wrap:anywhere] text-muted-foreground">
          {notice.message}
        </span>
      </span>
    </Link>
  );
}
