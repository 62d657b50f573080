import {
  CircleCheck,
  CircleQuestionMark,
  CircleX,
  ExternalLink,
  type LucideIcon,
} from "lucide-react";
import type { ReactNode } from "react";
import { hostTitle } from "@/components/hosts/host-facts";
import { Button } from "@/components/ui/button";
import { DialogBody, DialogClose, DialogFooter } from "@/components/ui/dialog";
import { cn } from "@/lib/cn";
import { formatNumber } from "@/lib/format-number";
import { OUTCOME_LABELS, type Outcome, type Result } from "./result";

const NAMED = 5;

/** Before a batch: what it concerns. Hosts of the same name are named with their id. */
export function ChosenHosts({
  hosts,
  unit = "台",
}: {
  hosts: readonly Result["host"][];
  unit?: string;
}) {
  const titles = hosts.map(hostTitle);
  const named = hosts.slice(0, NAMED).map((host) => {
    const title = hostTitle(host);
    return titles.indexOf(title) === titles.lastIndexOf(title)
      ? title
      : `${title}（${host.ucloudId}）`;
  });
  const total = hosts.length > NAMED ? ` 等 ${formatNumber(hosts.length)} ${unit}` : "";

  return (
    <p className="text-sm text-muted-foreground [overflow-wrap:anywhere]">{`${named.join("、")}${total}`}</p>
  );
}

type BatchResultsProps = {
  /** Of the list: "每台主机的结果". */
  label: string;
  results: readonly Result[];
  /** Above the list: the counts. */
  children: ReactNode;
  footer?: ReactNode;
};

/** The inside of a dialog after a batch: the result of each item, failures first. */
export function BatchResults({
  label,
  results,
  children,
  footer = <DoneButton />,
}: BatchResultsProps) {
  return (
    <>
      {/* A long list of results scrolls by keyboard. */}
      <DialogBody tabIndex={0} className="grid content-start gap-4">
        {children}
        {results.length > 0 ? (
          <ul aria-label={label} className="divide-y rounded-md border">
            {results
              .toSorted((one, other) => urgency(one) - urgency(other))
              .map((result) => (
                <ResultLine key={result.id} result={result} />
              ))}
          </ul>
        ) : null}
      </DialogBody>
      <DialogFooter>{footer}</DialogFooter>
    </>
  );
}

export function DoneButton() {
  return (
    <DialogClose asChild>
      <Button>完成</Button>
    </DialogClose>
  );
}

function urgency({ outcome, message }: Result): number {
  if (outcome === "failed") return 0;
  if (outcome === "unknown") return 1;
  return message === undefined ? 3 : 2;
}

const LOOKS: Readonly<Record<Outcome, { icon: LucideIcon; tone: string }>> = {
  succeeded: { icon: CircleCheck, tone: "text-success-ink" },
  failed: { icon: CircleX, tone: "text-danger-ink" },
  unknown: { icon: CircleQuestionMark, tone: "text-warning-ink" },
};

function ResultLine({ result: { host, userName, outcome, message } }: { result: Result }) {
  const { icon: Icon, tone } = LOOKS[outcome];

  return (
    <li className="flex items-start gap-2.5 px-3 py-2 text-sm">
      <Icon className={cn("mt-1 size-4 shrink-0", tone)} />
      <span className="min-w-0 flex-1">
        <span className="flex items-center gap-2">
          <HostLink host={host} />
          <span className="shrink-0 font-mono text-xs text-muted-foreground">{host.ucloudId}</span>
          {userName === undefined ? null : (
            <span className="min-w-0 truncate text-muted-foreground" title={userName}>
              {userName}
            </span>
          )}
        </span>
        {message ? (
          <span className="block text-muted-foreground [overflow-wrap:anywhere]">{message}</span>
        ) : null}
      </span>
      <span className={cn("mt-0.5 shrink-0", tone)}>{OUTCOME_LABELS[outcome]}</span>
    </li>
  );
}

/** In a new tab: the list of results is worked through, and its batch may still be running. */
function HostLink({ host }: { host: Result["host"] }) {
  return (
    <a
      href={`/hosts?host=${host.id}`}
      title={hostTitle(host)}
      target="_blank"
      rel="noreferrer"
      className="flex min-h-6 min-w-0 items-center gap-1 rounded-sm font-medium text-primary-ink hover:underline"
    >
      <span className="truncate">{hostTitle(host)}</span>
      <ExternalLink role="img" aria-label="在新标签页打开" className="size-3 shrink-0" />
    </a>
  );
}
