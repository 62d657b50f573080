import { type RefObject, useLayoutEffect, useRef, useState } from "react";

/** The nearest first. */
type Chain = readonly Element[];
type OpenerRef = RefObject<Chain>;

/** Of each open dialog, what to go back to: a dialog opened by another goes back to the other's opener once that is gone. */
const chains = new WeakMap<Element, Chain>();

/**
 * Gives the focus back to whatever had it before a dialog opened. Radix knows only its own triggers; without one it would leave the
 * focus on the body. What is gone by then (the row that was deleted, the button that has done its work) is passed over for the dialog
 * below or the page. Draw `<RememberOpener opener={opener} />` inside the content.
 */
export function useOpener() {
  const opener: OpenerRef = useRef([]);
  function onCloseAutoFocus(event: Event): void {
    const other = document.querySelector("[role='dialog'][data-state='open']");
    const hasFocus = other?.contains(document.activeElement) ?? false;
    if (hasFocus || [...opener.current, other ?? document.getElementById("main")].some(takesFocus))
      event.preventDefault();
  }
  return { opener, onCloseAutoFocus };
}

/** Mounted with the content, so it looks before anything in there takes the focus. */
export function RememberOpener({ opener }: { opener: OpenerRef }) {
  const [before] = useState(() => chainFrom(document.activeElement));
  const mark = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    opener.current = before;
    const dialog = mark.current?.closest(DIALOG);
    if (dialog) chains.set(dialog, before);
  }, [opener, before]);
  return <span ref={mark} hidden />;
}

/** The page is not scrolled for it: the opener is in sight, and `main` begins far above. */
function takesFocus(element: Element | null): boolean {
  if (!(element instanceof HTMLElement) || element === document.body) return false;
  element.focus({ preventScroll: true });
  return document.activeElement === element;
}

const DIALOG = "[role='dialog'], [role='alertdialog']";

function chainFrom(active: Element | null): Chain {
  if (active === null) return [];
  // An entry of a menu goes with the menu; its button stays.
  const menuButton = document.getElementById(active.closest("[role='menu']")?.getAttribute("aria-labelledby") ?? "");
  const dialog = active.closest(DIALOG);
  return [menuButton ?? active, ...((dialog && chains.get(dialog)) ?? [])];
}
