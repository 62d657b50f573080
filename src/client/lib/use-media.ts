import { useCallback, useSyncExternalStore } from "react";
import { isPrinting } from "./is-printing";

/** What each query was when it was last asked for the screen. */
const onScreen = new Map<string, boolean>();

/**
 * Whether a media query holds for the screen, followed live: `useMedia("(min-width: 48rem)")`.
 *
 * A printout is laid out while the page stands as it is on the screen, and its paper has another
 * width than the window. A page that was drawn anew for that width in the middle of it would lose
 * the rows that are on their way from one sheet to the next. So paper changes nothing here: what
 * differs on it is CSS (`print:`).
 */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (onChange: () => void) => {
      const list = window.matchMedia(query);
      list.addEventListener("change", onChange);
      return () => list.removeEventListener("change", onChange);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => matchesOnScreen(query));
}

function matchesOnScreen(query: string): boolean {
  const known = onScreen.get(query);
  if (known !== undefined && isPrinting()) return known;

  const { matches } = window.matchMedia(query);
  onScreen.set(query, matches);
  return matches;
}

/** Tailwind's `md` and up: the filters are in sight, the sidebar is no sheet. */
export function useIsMediumScreen(): boolean {
  return useMedia("(min-width: 48rem)");
}

/** Tailwind's `lg` and up: a table of many columns has room beside the sidebar. */
export function useIsLargeScreen(): boolean {
  return useMedia("(min-width: 64rem)");
}
