import { useEffect, useEffectEvent } from "react";

/** `"mod+k"` is Ctrl-K, or Cmd-K on a Mac; a bare key such as `"/"` is ignored in inputs and while a dialog is open. */
export function useHotkey(combination: string, action: () => void): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const withModifier = combination.startsWith("mod+");
    const key = withModifier ? combination.slice(4) : combination;
    if (event.key.toLowerCase() !== key || event.isComposing || event.altKey) return;
    if (withModifier !== (event.ctrlKey || event.metaKey)) return;
    if (!withModifier && (isTyping(event.target) || document.querySelector('[role="dialog"][data-state="open"]')))
      return;
    event.preventDefault();
    action();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event);
    window.addEventListener("keydown", listener);
    return () => window.removeEventListener("keydown", listener);
  }, []);
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest("input, textarea, select, [contenteditable='true']") !== null;
}
