import { useEffect } from "react";
import { useLeaveGuard } from "@/lib/use-leave-guard";

/** Of a form: `discarding` while the user is asked whether to lose them. */
export type FormChanges = "none" | "unsaved" | "discarding";

/**
 * Tells the dialog around a form whether closing it would lose something. While it would, the
 * browser asks before the page is left.
 */
export function useUnsavedChanges(
  isUnsaved: boolean,
  onChanges: (changes: FormChanges) => void,
): void {
  useLeaveGuard(isUnsaved);
  useEffect(() => {
    if (!isUnsaved) return undefined;

    onChanges("unsaved");
    return () => onChanges("none");
  }, [isUnsaved, onChanges]);
}
