import { useRef } from "react";

let newestOpener: Element | null = null;

/**
 * Returns the focus to the element that had it before a dialog opened; Radix knows only its own
 * triggers. When that element is gone, the focus goes to the dialog below or to the page.
 */
export function useOpener() {
  const opener = useRef<Element>(null);

  /** To be called by `onOpenAutoFocus`, before the content takes the focus. */
  function rememberOpener(): void {
    opener.current = focusedElement();
    newestOpener = opener.current;
  }

  function onCloseAutoFocus(event: Event): void {
    event.preventDefault();
    // Another page or dialog may have the focus by now.
    if (document.activeElement !== document.body) return;

    const dialog = document.querySelector("[role='dialog'][data-state='open']");
    const main = document.getElementById("main");
    for (const element of [opener.current, dialog, main]) {
      if (takesFocus(element)) return;
    }
  }

  return { rememberOpener, onCloseAutoFocus };
}

/**
 * The button of a menu instead of its item, which goes with the menu; from within a confirmation,
 * which closes first, the element that opened it.
 */
function focusedElement(): Element | null {
  const active = document.activeElement;
  if (active?.closest("[role='alertdialog']")) return newestOpener;

  const menu = active?.closest("[role='menu']");
  return document.getElementById(menu?.getAttribute("aria-labelledby") ?? "") ?? active;
}

function takesFocus(element: Element | null): boolean {
  if (!(element instanceof HTMLElement) || element === document.body) return false;
  element.focus({ preventScroll: true });
  return document.activeElement === element;
}
