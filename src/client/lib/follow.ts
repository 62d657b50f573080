import type { MouseEvent } from "react";
import { navigate } from "wouter/use-browser-location";

/** How far a pressed mouse may move and still click. */
const CLICK_PIXELS = 4;

/** Where the mouse was pressed last. */
let press = { x: 0, y: 0 };

addEventListener(
  "pointerdown",
  ({ clientX, clientY }) => {
    press = { x: clientX, y: clientY };
  },
  { capture: true },
);

/**
 * Whether the click is the end of marking text: by dragging over it, or by Shift from an earlier
 * mark on. What is clickable and shows text that people copy must not act on such a click. Text
 * that was marked before and is then clicked on is a click: there the mouse did not move.
 */
export function endsTextSelection({ clientX, clientY, shiftKey }: MouseEvent): boolean {
  if (getSelection()?.isCollapsed !== false) return false;
  return shiftKey || Math.hypot(clientX - press.x, clientY - press.y) > CLICK_PIXELS;
}

/** The `button` of a mouse event. */
export const MIDDLE_BUTTON = 1;

/**
 * Whether a link is to open elsewhere: the middle button, Ctrl or Cmd for a tab, Shift for a
 * window.
 */
export function opensElsewhere(event: MouseEvent): boolean {
  return event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
}

/**
 * Goes where the click leads, for what cannot be a link itself: a row of a table, a button with two
 * purposes.
 */
export function follow(event: MouseEvent, href: string): void {
  if (opensElsewhere(event)) window.open(href, "_blank", "noopener");
  else navigate(href);
}
