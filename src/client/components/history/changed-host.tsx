import { HOST_CHANGE_LABELS, type SyncRunChange } from "@shared/host-history.ts";
import { Link } from "wouter";
import { FieldChanges } from "@/components/history/field-changes";
import { KIND_LOOKS } from "@/components/history/history-kinds";
import { hostTitle } from "@/components/hosts/host-facts";
import { Badge } from "@/components/ui/badge";
import { formatDateTime, formatMoment } from "@/lib/format";

type ChangedHostProps = {
  change: SyncRunChange;
  /** When it was found, in Unix seconds; its time of day is shown. */
  at?: number;
  /** The link to the host was followed. */
  onLeave?: () => void;
};

/** A line of a list of changes: which host, what happened to it, field by field. */
export function ChangedHost({ change, at, onLeave }: ChangedHostProps) {
  const { icon: Icon, tone } = KIND_LOOKS[change.kind];
  return (
    <li className="grid gap-1.5 px-3.5 py-2.5">
      <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
        <Link
          href={`/hosts?host=${change.hostId}&tab=history`}
          onClick={() => onLeave?.()}
          className="min-w-0 rounded-sm font-medium text-primary-ink [overflow-wrap:anywhere] hover:underline"
        >
          {hostTitle(change)}
        </Link>
        <span className="min-w-0 font-mono text-xs text-muted-foreground [overflow-wrap:anywhere] max-sm:order-last max-sm:basis-full">
          {change.ucloudId}
        </span>
        <span className="ml-auto flex items-center gap-2.5">
          {at === undefined ? null : <TimeOfDay at={at} />}
          <Badge tone={tone}>
            <Icon />
            {HOST_CHANGE_LABELS[change.kind]}
          </Badge>
        </span>
      </div>
      <FieldChanges changes={change.changes} />
    </li>
  );
}

type TimeOfDayProps = {
  /** Unix seconds. */
  at: number;
  /** Where one act must be told from the next. */
  showsSeconds?: boolean;
};

/** `08:30` or `08:30:15`, beside a heading that says the day. */
export function TimeOfDay({ at, showsSeconds = false }: TimeOfDayProps) {
  const text = showsSeconds ? formatMoment(at) : formatDateTime(at);
  return (
    <time
      dateTime={new Date(at * 1000).toISOString()}
      title={text}
      className="text-xs text-muted-foreground tabular-nums"
    >
      {text.slice(text.indexOf(" ") + 1)}
    </time>
  );
}
