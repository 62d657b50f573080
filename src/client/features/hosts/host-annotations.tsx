import type { Host } from "@shared/hosts.ts";
import { hasPermission } from "@shared/roles.ts";
import { Pencil, StickyNote, Tag } from "lucide-react";
import { Suspense, useEffect, useRef, useState } from "react";
import { NoteBlock } from "@/components/notes/note-block";
import { NOTE_LABEL } from "@/components/notes/note-label";
import { TagLinks } from "@/components/tags/tag-links";
import { Button } from "@/components/ui/button";
import { SkeletonText } from "@/components/ui/skeleton";
import { lazyDialog, lazyPage } from "@/lib/lazy";
import { useCurrentUser } from "@/session/session";

const NoteDialog = lazyDialog(() => import("./note-dialog").then((m) => m.NoteDialog));
const TagsEditor = lazyPage(() => import("./tags-editor").then((m) => m.TagsEditor));

/** What people wrote about a host: its tags, and the note of the super admins. Not for clients. */
export function HostAnnotations({ host }: { host: Host }) {
  const { role } = useCurrentUser();
  return hasPermission(role, "hosts:update") ? (
    <EditableAnnotations host={host} />
  ) : (
    <TagLinks tags={host.tags} />
  );
}

function EditableAnnotations({ host }: { host: Host }) {
  const [isNoteOpen, setNoteOpen] = useState(false);
  const openNote = () => setNoteOpen(true);

  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <EditableTags host={host} onWriteNote={host.note === null ? openNote : null} />
      {host.note === null ? null : (
        <NoteBlock
          text={host.note}
          action={
            <Button
              variant="ghost"
              size="sm"
              icon
              className="print:hidden"
              aria-label={`编辑${NOTE_LABEL}`}
              onClick={openNote}
            >
              <Pencil />
            </Button>
          }
        />
      )}
      <NoteDialog host={host} open={isNoteOpen} onOpenChange={setNoteOpen} />
    </div>
  );
}

type EditableTagsProps = {
  host: Host;
  /** Null where there is a note already. */
  onWriteNote: (() => void) | null;
};

/** The tags and, in the same line, what may be added; the form in their place while it is open. */
function EditableTags({ host, onWriteNote }: EditableTagsProps) {
  const [isEditing, setEditing] = useState(false);
  const edit = useFocusAfter(isEditing);
  useEffect(TagsEditor.prefetch, []);

  if (isEditing) {
    return (
      <Suspense fallback={<SkeletonText lines={2} />}>
        <TagsEditor host={host} onClose={() => setEditing(false)} />
      </Suspense>
    );
  }
  return (
    <div className="flex flex-wrap items-center gap-1">
      <TagLinks tags={host.tags} />
      <Button
        ref={edit}
        variant="ghost"
        size="sm"
        className="text-muted-foreground print:hidden"
        onClick={() => setEditing(true)}
      >
        <Tag />
        {host.tags.length === 0 ? "添加标签" : "编辑标签"}
      </Button>
      {onWriteNote === null ? null : (
        <Button
          variant="ghost"
          size="sm"
          className="text-muted-foreground print:hidden"
          onClick={onWriteNote}
        >
          <StickyNote />
          {`添加${NOTE_LABEL}`}
        </Button>
      )}
    </div>
  );
}

/** The button that opened a form in its own place has the focus again when the form is closed. */
function useFocusAfter(isOpen: boolean) {
  const button = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(false);
  useEffect(() => {
    if (wasOpen.current && !isOpen) button.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  return button;
}
