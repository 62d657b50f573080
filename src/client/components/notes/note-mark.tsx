import { StickyNote } from "lucide-react";
import { NOTE_LABEL } from "./note-label";

/** In lists, beside a name: that there is a note. Its page shows it. */
export function NoteMark({ note }: { note: string | null }) {
  if (note === null) return null;
  return (
    <span title={note} className="inline-flex shrink-0 text-muted-foreground">
      <StickyNote className="size-3.5" />
      <span className="sr-only">{`有${NOTE_LABEL}`}</span>
    </span>
  );
}
