import { useEffect, useEffectEvent } from "react";
import { useCurrentUser } from "@/session/session";
import { areSingleKeysOn } from "@/session/single-keys";

/**
 * What may lie open above a page: dialogs, sheets, the command palette and popovers (all of them
 * dialogs), confirmations, menus and lists of options. While one is there, also while its focus is
 * elsewhere, letters belong to it.
 */
const LAYERS = ["dialog", "alertdialog", "menu", "listbox"]
  .map((role) => `[role="${role}"][data-state="open"]`)
  .join();

/**
 * `"mod+k"` is Ctrl-K, or Cmd-K on a Mac; a single key such as `"/"` acts only on the page itself,
 * not in inputs and not under a layer, and not for those who have switched such keys off.
 */
export function useHotkey(combination: string, action: () => void): void {
  const { id: userId } = useCurrentUser();
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const withModifier = combination.startsWith("mod+");
    const key = withModifier ? combination.slice(4) : combination;
    if (event.key.toLowerCase() !== key || event.altKey) return;
    if (withModifier !== (event.ctrlKey || event.metaKey)) return;
    if (!withModifier && (isTyping(event.target) || isPageCovered())) return;
    if (!withModifier && !areSingleKeysOn(userId)) return;

    event.preventDefault();
    action();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event);
    window.addEventListener("keydown", listener);
    return () => window.removeEventListener("keydown", listener);
  }, []);
}

/** Whether what is pressed there is text. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.closest("input, textarea, select, [contenteditable='true']") !== null
  );
}

function isPageCovered(): boolean {
  return document.querySelector(LAYERS) !== null;
}
