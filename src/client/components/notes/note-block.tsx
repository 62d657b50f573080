import { StickyNote } from "lucide-react";
import type { ReactNode } from "react";
import { Remark } from "@/components/remark";
import { NOTE_LABEL } from "./note-label";

type NoteBlockProps = {
  text: string;
  /** At the right end: the way to change it. */
  action?: ReactNode;
};

/** What super admins wrote for each other of a host or user. A long one scrolls, by keyboard too. */
export function NoteBlock({ text, action }: NoteBlockProps) {
  return (
    <section
      aria-label={NOTE_LABEL}
      className="flex items-start gap-2.5 rounded-md border bg-muted/60 py-2 pr-2 pl-3.5"
    >
      <StickyNote className="mt-1 size-4 shrink-0 text-muted-foreground" />
      <div
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
        tabIndex={0}
        className="max-h-40 min-w-0 flex-1 overflow-y-auto rounded-sm text-sm print:max-h-none"
      >
        <p className="text-xs text-muted-foreground">{NOTE_LABEL}</p>
        <Remark text={text} />
      </div>
      {action}
    </section>
  );
}
