import { type KeyboardEvent, type MouseEvent, type SyntheticEvent, useEffect, useRef } from "react";
import { useHasLasted } from "@/lib/use-has-lasted";

/** About as long as a second press of the same finger, or the second half of a double click. */
const FRESH_MS = 500;

/**
 * Keeps a dialog from being answered before it can have been read. Often the button that answers it
 * lies where the one lay that opened it, or has the focus that the other had, as when one request is
 * decided and the next is offered: who presses Enter twice, holds it down or clicks twice would
 * answer both. So a dialog that has just opened takes no Enter and no second half of a double
 * click, until something is typed in it, and an Enter that is held down is none.
 *
 * The returned attributes are those of the element that holds the buttons.
 */
export function useFreshGuard(isOpen: boolean) {
  const isNew = !useHasLasted(isOpen, FRESH_MS);
  // Not a state: to draw a form anew in the middle of an input loses what was typed.
  const isTypedIn = useRef(false);

  useEffect(() => {
    if (!isOpen) isTypedIn.current = false;
  }, [isOpen]);

  function isFresh(): boolean {
    return isNew && !isTypedIn.current;
  }

  function onKeyDownCapture(event: KeyboardEvent): void {
    // Not only what is entered: a date of which a part is missing has no value yet.
    if (event.key !== "Enter") isTypedIn.current = true;
    else if (!isNewLine(event) && (event.repeat || isFresh())) swallow(event);
  }

  function onClickCapture(event: MouseEvent): void {
    if (event.detail > 1 && isFresh()) swallow(event);
  }

  return {
    "data-fresh": isNew || undefined,
    onKeyDownCapture,
    onClickCapture,
  };
}

function isNewLine({ target, ctrlKey, metaKey }: KeyboardEvent): boolean {
  return target instanceof HTMLTextAreaElement && !ctrlKey && !metaKey;
}

function swallow(event: SyntheticEvent): void {
  event.preventDefault();
  event.stopPropagation();
}
