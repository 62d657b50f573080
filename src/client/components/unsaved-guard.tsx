import { createContext, type ReactNode, use, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { ConfirmDialog } from "@/components/confirm-dialog";
import { useBack } from "@/lib/use-back";

type Unsaved = {
  isDirty: () => boolean;
  setDirty: (isDirty: boolean) => void;
  confirmDiscard: () => void;
};

const UnsavedContext = createContext<Unsaved | null>(null);

/** Null outside of a dialog. */
export const useUnsaved = () => use(UnsavedContext);

type UnsavedGuardProps = { isOpen: boolean; onDiscard: () => void; children: ReactNode };

/** Knows whether the form of a dialog is dirty, and confirms before it is discarded, also by the browser's back button. */
export function UnsavedGuard({ isOpen, onDiscard, children }: UnsavedGuardProps) {
  const dirty = useRef(false);
  const [isConfirming, setConfirming] = useState(false);
  const guard = useMemo<Unsaved>(
    () => ({
      isDirty: () => dirty.current,
      setDirty(isDirty) {
        dirty.current = isDirty;
        if (!isDirty) setConfirming(false);
      },
      confirmDiscard: () => setConfirming(true),
    }),
    [],
  );
  useBack(isOpen, () => (dirty.current ? setConfirming(true) : onDiscard()));
  return (
    <UnsavedContext value={guard}>
      {children}
      <ConfirmDialog
        // A submit that has closed the dialog meanwhile leaves nothing to confirm.
        open={isConfirming && isOpen}
        onOpenChange={setConfirming}
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

/** For the form inside: reports whether it is dirty to the dialog and, for a reload or a closed tab, to the browser. */
export function useReportDirty(isDirty: boolean): void {
  const unsaved = useUnsaved();
  useLayoutEffect(() => {
    unsaved?.setDirty(isDirty);
    return () => unsaved?.setDirty(false);
  }, [unsaved, isDirty]);
  useEffect(() => {
    if (unsaved === null || !isDirty) return undefined;
    const prevent = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", prevent);
    return () => window.removeEventListener("beforeunload", prevent);
  }, [unsaved, isDirty]);
}
