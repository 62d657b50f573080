import { createContext, type ReactNode, use, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { ConfirmDialog } from "@/components/confirm-dialog";
import { useBack } from "@/lib/use-back";

type Unsaved = {
  isDirty: () => boolean;
  /** Opens the question. */
  ask: () => void;
  /** What the form says of itself; returns what takes it back. */
  hold: (isDirty: boolean) => () => void;
};

const UnsavedContext = createContext<Unsaved | null>(null);

/** Null outside of a dialog. */
export const useUnsaved = () => use(UnsavedContext);

type UnsavedGuardProps = { isOpen: boolean; onDiscard: () => void; children: ReactNode };

/** Knows whether the dialog's form is filled in, and asks before that is thrown away; the browser's own way back does so, too. */
export function UnsavedGuard({ isOpen, onDiscard, children }: UnsavedGuardProps) {
  const dirty = useRef(false);
  const [isAsking, setAsking] = useState(false);
  const guard = useMemo<Unsaved>(
    () => ({
      isDirty: () => dirty.current,
      ask: () => setAsking(true),
      hold(isDirty) {
        dirty.current = isDirty;
        return () => {
          dirty.current = false;
          setAsking(false);
        };
      },
    }),
    [],
  );
  useBack(isOpen, () => (dirty.current ? setAsking(true) : onDiscard()));
  return (
    <UnsavedContext value={guard}>
      {children}
      <ConfirmDialog
        // What was sent meanwhile and has closed the dialog leaves nothing to ask about.
        open={isAsking && isOpen}
        onOpenChange={setAsking}
        title="放弃未保存的内容？"
        description="关闭后，已填写的内容不会保留。"
        confirmLabel="放弃"
        cancelLabel="继续编辑"
        tone="warning"
        onConfirm={onDiscard}
      />
    </UnsavedContext>
  );
}

/** For the form inside: tells the dialog around it whether there is something to lose. A reload, or closing the tab, makes the browser ask. */
export function useHoldUnsaved(isDirty: boolean): void {
  const unsaved = useUnsaved();
  useLayoutEffect(() => unsaved?.hold(isDirty), [unsaved, isDirty]);
  useEffect(() => {
    if (unsaved === null || !isDirty) return undefined;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [unsaved, isDirty]);
}
