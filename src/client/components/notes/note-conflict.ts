import { trimText } from "@shared/invisible-text.ts";

interface NoteEdit {
  /** When the edit began; empty where there was none. */
  readonly before: string;
  readonly edited: string;
  /** By now: somebody else may have changed it meanwhile. */
  readonly stored: string;
}

/**
 * Whether saving would replace what somebody else wrote meanwhile. A note that is not edited is not
 * saved, and one that is stored already, by this very form, replaces nothing.
 */
export function isNoteConflict({ before, edited, stored }: NoteEdit): boolean {
  const isEdited = edited !== before;
  const isChangedMeanwhile = stored !== before;
  return isEdited && isChangedMeanwhile && trimText(edited) !== stored;
}
