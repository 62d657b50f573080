import { type RefObject, useLayoutEffect, useRef, useState } from "react";

type OpenerRef = RefObject<Element | null>;

/**
 * Gives the focus back to whatever had it before a dialog opened. Radix knows only its own triggers; without one it would leave the
 * focus on the body. Draw `<RememberOpener opener={opener} />` inside the content.
 */
export function useOpener() {
  const opener: OpenerRef = useRef(null);
  function onCloseAutoFocus(event: Event): void {
    if (!(opener.current instanceof HTMLElement) || !opener.current.isConnected) return;
    event.preventDefault();
    opener.current.focus();
  }
  return { opener, onCloseAutoFocus };
}

/** Mounted with the content, so it looks before anything in there takes the focus. */
export function RememberOpener({ opener }: { opener: OpenerRef }) {
  const [before] = useState(() => document.activeElement);
  useLayoutEffect(() => {
    opener.current = before;
  }, [opener, before]);
  return null;
}
