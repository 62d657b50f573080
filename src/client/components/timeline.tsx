import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { type BadgeTone, softTones } from "@/components/ui/badge";
import { cn } from "@/lib/cn";

export type TimelineEntry = {
  id: string;
  title: ReactNode;
  /** Already formatted. */
  time?: string;
  description?: ReactNode;
  icon: LucideIcon;
  tone?: BadgeTone;
  /** Still to come: drawn hollow and grey. */
  isPending?: boolean;
};

export function Timeline({ entries }: { entries: readonly TimelineEntry[] }) {
  return (
    <ol className="grid">
      {entries.map(({ id, icon: Icon, ...entry }) => (
        <li key={id} className="group/entry relative flex gap-3 pb-5 last:pb-0">
          <span
            aria-hidden="true"
            className="absolute top-8 bottom-1 left-3.5 w-px -translate-x-1/2 bg-border-strong group-last/entry:hidden"
          />
          <span
            className={cn(
              "grid size-7 shrink-0 place-items-center rounded-full border border-border-strong bg-card text-muted-foreground",
              entry.isPending && "border-dashed bg-transparent text-subtle-foreground",
              entry.tone && ["border-transparent", softTones[entry.tone]],
            )}
          >
            <Icon aria-hidden="true" className="size-3.5" />
          </span>
          <div className="min-w-0 flex-1 pt-0.5">
            <div className="flex flex-wrap items-baseline justify-between gap-x-3">
              <p className={cn("font-medium", entry.isPending && "text-muted-foreground")}>{entry.title}</p>
              {entry.time ? <time className="text-xs text-muted-foreground">{entry.time}</time> : null}
            </div>
            {entry.description ? (
              <div className="mt-0.5 text-sm text-muted-foreground [overflow-wrap:anywhere]">{entry.description}</div>
            ) : null}
          </div>
        </li>
      ))}
    </ol>
  );
}
