import { NOTICE_SEVERITY_LABELS, type Notice } from "@shared/notices.ts";
import {
  BellRing,
  CalendarClock,
  CalendarPlus,
  Check,
  type LucideIcon,
  Trash2,
} from "lucide-react";
import { Link } from "wouter";
import { TimeOfDay } from "@/components/history/changed-host";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { cn } from "@/lib/cn";
import { useCurrentUser } from "@/session/session";
import { actsOf, NOTICE_ACT_LABELS, type NoticeAct } from "./notice-acts";
import { NoticeHosts } from "./notice-hosts";
import { SEVERITY_LOOKS } from "./notice-looks";
import { UnreadDot } from "./unread-dot";
import { useReadNotices } from "./use-read-notices";

type NoticeLineProps = {
  notice: Notice;
  onAct: (act: NoticeAct, notice: Notice) => Promise<void>;
  onDelete: (notice: Notice) => void;
};

/** A notice of the list: what happened, to which hosts, and what to do about it. */
export function NoticeLine({ notice, onAct, onDelete }: NoticeLineProps) {
  const { icon: Icon, tone } = SEVERITY_LOOKS[notice.severity];
  const { read } = useReadNotices();
  const isUnread = notice.readAt === null;

  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-2 px-3.5 py-3">
      <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
        <Badge tone={tone}>
          <Icon />
          {NOTICE_SEVERITY_LABELS[notice.severity]}
        </Badge>
        <NoticeTitle notice={notice} onOpen={() => read(notice)} />
        <span className="ml-auto flex items-center gap-2">
          {isUnread ? <UnreadDot /> : null}
          <TimeOfDay at={notice.createdAt} />
        </span>
      </div>
      <div className="flex flex-wrap gap-x-6 gap-y-2">
        <div className="grid min-w-0 flex-auto basis-80 grid-cols-[minmax(0,1fr)] gap-2">
          <p className="text-sm [overflow-wrap:anywhere] text-muted-foreground">{notice.message}</p>
          <NoticeHosts notice={notice} onOpen={() => read(notice)} />
        </div>
        {/* Beside the text where there is room; on a phone a row of its own. */}
        <div className="ml-auto flex flex-wrap items-center justify-end gap-2 self-end max-md:basis-full">
          <NextSteps notice={notice} onOpen={() => read(notice)} onAct={onAct} />
          <div className="flex items-center gap-1 max-md:ml-auto">
            {isUnread ? (
              <Button variant="ghost" size="sm" onClick={() => read(notice)}>
                <Check />
                标为已读
              </Button>
            ) : null}
            <Button
              variant="ghost"
              size="sm"
              icon
              aria-label={`删除通知：${notice.title}`}
              title="删除"
              className="text-muted-foreground"
              onClick={() => onDelete(notice)}
            >
              <Trash2 />
            </Button>
          </div>
        </div>
      </div>
    </li>
  );
}

type TitleProps = { notice: Notice; onOpen: () => void };

function NoticeTitle({ notice: { title, link, readAt }, onOpen }: TitleProps) {
  const className = cn("min-w-0 [overflow-wrap:anywhere]", readAt === null && "font-semibold");
  if (link === null) return <h3 className={className}>{title}</h3>;

  return (
    <h3 className={className}>
      <Link href={link} onClick={onOpen} className="rounded-sm text-primary-ink hover:underline">
        {title}
      </Link>
    </h3>
  );
}

const ICONS: Readonly<Record<NoticeAct, LucideIcon>> = {
  renew: CalendarPlus,
  extend: CalendarClock,
  remind: BellRing,
};

type NextStepsProps = TitleProps & Pick<NoticeLineProps, "onAct">;

/** The acts of the reader, else the way to what the notice is about. */
function NextSteps({ notice, onOpen, onAct }: NextStepsProps) {
  const { role } = useCurrentUser();
  const acts = actsOf(role, notice);

  if (acts.length > 0) {
    return (
      <div className="flex flex-wrap gap-2">
        {acts.map((act) => {
          const Icon = ICONS[act];
          return (
            <Button
              key={act}
              variant="outline"
              size="sm"
              onClick={() => {
                onOpen();
                return onAct(act, notice);
              }}
            >
              <Icon />
              {NOTICE_ACT_LABELS[act]}
            </Button>
          );
        })}
      </div>
    );
  }
  if (notice.link === null) return null;

  return (
    <Button variant="outline" size="sm" asChild>
      <Link href={notice.link} onClick={onOpen}>
        查看
      </Link>
    </Button>
  );
}
