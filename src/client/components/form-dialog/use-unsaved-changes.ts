import { useEffect } from "react";

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
  useEffect(() => {
    if (!isUnsaved) return undefined;

    const prevent = (event: BeforeUnloadEvent) => event.preventDefault();
    onChanges("unsaved");
    window.addEventListener("beforeunload", prevent);

    return () => {
      onChanges("none");
      window.removeEventListener("beforeunload", prevent);
    };
  }, [isUnsaved, onChanges]);
}
