import { useEffectEvent, useLayoutEffect } from "react";

interface PaletteKeys {
  readonly isOpen: boolean;
  /** Changes the text of the palette. */
  readonly onType: (change: (text: string) => string) => void;
  readonly onClose: () => void;
}

/**
 * The palette has the keyboard from the moment when it is asked for. Its code may still be on its
 * way then, and nothing of it be drawn: without this, what a person types would act on the page
 * below, and approve a request there. So keys that come while the palette is open and has not got
 * the focus are its text, and the page hears nothing of them.
 */
export function usePaletteKeys({ isOpen, onType, onClose }: PaletteKeys): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const isCombination = event.ctrlKey || event.metaKey || event.altKey;
    if (isCombination || event.isComposing || isInDialog(event.target)) return;

    event.preventDefault();
    event.stopImmediatePropagation();
    if (event.key === "Escape") onClose();
    else if (event.key === "Backspace") onType((text) => text.slice(0, -1));
    else if (isCharacter(event.key)) onType((text) => text + event.key);
  });

  // Before the next key, which an ordinary effect may miss.
  useLayoutEffect(() => {
    if (!isOpen) return undefined;

    const listener = (event: KeyboardEvent) => onKey(event);
    window.addEventListener("keydown", listener, { capture: true });
    return () => window.removeEventListener("keydown", listener, { capture: true });
  }, [isOpen]);
}

function isInDialog(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('[role="dialog"]') !== null;
}

/** Other keys have names, such as `Enter`. */
function isCharacter(key: string): boolean {
  return [...key].length === 1;
}
