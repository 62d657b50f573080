import { type RefObject, useLayoutEffect, useRef, useState } from "react";

type OpenerRef = RefObject<Element | null>;

/**
 * Returns the focus to the element that had it before a dialog opened; Radix knows only its own triggers. When that element is gone, the
 * focus goes to the dialog below or to the page. Draw `<RememberOpener opener={opener} />` inside the content.
 */
export function useOpener() {
  const opener: OpenerRef = useRef(null);
  function onCloseAutoFocus(event: Event): void {
    const dialog = document.querySelector("[role='dialog'][data-state='open']");
    const isInOpenDialog = dialog?.contains(document.activeElement) ?? false;
    if (isInOpenDialog || takesFocus(opener.current) || takesFocus(dialog) || hasFocus() || takesFocus(page())) {
      event.preventDefault();
    }
  }
  return { opener, onCloseAutoFocus };
}

/** Mounted with the content, so it reads the focus before the content takes it. */
export function RememberOpener({ opener }: { opener: OpenerRef }) {
  const [before] = useState(focusedElement);
  useLayoutEffect(() => {
    opener.current = before;
    newestOpener = before;
  }, [opener, before]);
  return null;
}

let newestOpener: Element | null = null;

/**
 * The button of a menu instead of its item, which goes with the menu; from within a confirmation, which closes first, the element that
 * opened it.
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

function hasFocus(): boolean {
  return document.activeElement !== document.body;
}

function page(): HTMLElement | null {
  return document.getElementById("main");
}
