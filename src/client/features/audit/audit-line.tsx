import {
  AUDIT_ACTOR_LABELS,
  type AuditEntry,
  type AuditSubject,
  auditActionLabel,
} from "@shared/audit.ts";
import { ChevronDown } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { Link } from "wouter";
import { OutcomeBadge } from "@/components/audit/outcome-badge";
import { CopyableText, Mono } from "@/components/copyable-text";
import { DescriptionList } from "@/components/description-list";
import { TimeOfDay } from "@/components/history/changed-host";
import { Button } from "@/components/ui/button";
import { cn } from "@/lib/cn";
import { deviceOf } from "@/lib/device-of";
import { formatMoment } from "@/lib/format";
import { AuditChanges } from "./audit-changes";

/** As high as a finger needs it, where links stand on lines one below the other. */
const LINK = "inline-block rounded-sm py-0.5 text-primary-ink hover:underline";

/** Who did what, with which result and from where; it opens to what changed. */
export function AuditLine({ entry }: { entry: AuditEntry }) {
  const { at, actor, action, subject, ip } = entry;
  // Who signs in does so to the own account.
  const isOther = subject !== null && subject.id !== actor.id;
  const [isOpen, setOpen] = useState(false);
  const detailsId = useId();
  const label = auditActionLabel(action);

  return (
    <li className="px-3.5 py-2.5">
      <div className="flex items-start gap-3">
        <div className="min-w-0 flex-1">
          <p className="flex flex-wrap items-baseline gap-x-2 [overflow-wrap:anywhere]">
            <Actor entry={entry} />
            <span className="min-w-0">{label}</span>
            {isOther ? <Subject subject={subject} /> : null}
          </p>
          <p className="mt-0.5 flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-muted-foreground">
            <TimeOfDay at={at} showsSeconds />
            {ip === null ? null : <span className="font-mono [overflow-wrap:anywhere]">{ip}</span>}
          </p>
        </div>
        <OutcomeBadge entry={entry} />
        <Button
          variant="ghost"
          size="sm"
          icon
          aria-expanded={isOpen}
          aria-controls={isOpen ? detailsId : undefined}
          aria-label={`${isOpen ? "收起" : "展开"}详情：${label}`}
          className="-my-1"
          onClick={() => setOpen(!isOpen)}
        >
          <ChevronDown className={cn("transition-transform", isOpen && "rotate-180")} />
        </Button>
      </div>
      {isOpen ? <Details id={detailsId} entry={entry} /> : null}
    </li>
  );
}

/** With the name of then; a user who is there no longer has a page that says so. */
function Actor({ entry: { actor } }: { entry: AuditEntry }) {
  const kind = AUDIT_ACTOR_LABELS[actor.type];
  if (actor.id === null) return <span className="font-medium">{kind}</span>;

  return (
    <span>
      <Link href={`/users/${actor.id}`} className={cn(LINK, "font-medium")}>
        {actor.name}
      </Link>
      {actor.token === null ? null : (
        <span className="ml-1.5 text-sm text-muted-foreground">
          {`${kind} ${actor.token.name}`}
        </span>
      )}
    </span>
  );
}

/** Where what was acted on is shown; what has no page of its own is only named. */
const PAGES = new Map([
  ["user", "/users/"],
  ["host", "/hosts?host="],
  ["config", "/configs?config="],
]);

function Subject({ subject: { type, id, label } }: { subject: AuditSubject }) {
  const page = PAGES.get(type);
  if (page === undefined) return <span className="min-w-0">{label}</span>;

  return (
    <Link href={`${page}${id}`} className={cn(LINK, "min-w-0")}>
      {label}
    </Link>
  );
}

function Details({ id, entry }: { id: string; entry: AuditEntry }) {
  const { at, actor, action, changes, userAgent, requestId, count } = entry;
  const facts: { label: string; value: ReactNode }[] = [
    { label: count > 1 ? "第一次" : "时间", value: formatMoment(at) },
    ...(count > 1 ? [{ label: "一分钟内的次数", value: `${count} 次` }] : []),
    { label: "操作名称", value: <Mono>{action}</Mono> },
    ...(actor.id === null && actor.name !== null
      ? [{ label: "任务或命令", value: <Mono>{actor.name}</Mono> }]
      : []),
    ...(userAgent === null ? [] : [{ label: "浏览器或程序", value: <Device text={userAgent} /> }]),
    ...(requestId === null
      ? []
      : [{ label: "请求编号", value: <CopyableText text={requestId} label="请求编号" /> }]),
  ];

  return (
    <div id={id} className="mt-2.5 grid grid-cols-[minmax(0,1fr)] gap-3 border-t pt-2.5">
      {changes.length === 0 ? (
        <p className="text-sm text-muted-foreground">没有字段变化</p>
      ) : (
        <AuditChanges changes={changes} />
      )}
      <DescriptionList className="text-sm lg:grid-cols-2" items={facts} />
    </div>
  );
}

function Device({ text }: { text: string }) {
  const { name } = deviceOf(text);
  if (name === text) return name;
  return (
    <span className="block">
      {name}
      <span className="block text-xs text-muted-foreground">{text}</span>
    </span>
  );
}
