import { useCallback, useSyncExternalStore } from "react";

/** Whether a media query holds, followed live: `useMedia("(min-width: 48rem)")`. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (onChange: () => void) => {
      const list = window.matchMedia(query);
      list.addEventListener("change", onChange);
      return () => list.removeEventListener("change", onChange);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => window.matchMedia(query).matches);
}

/** Tailwind's `md` and up: the filters are in sight, the sidebar is no sheet. */
export function useIsMediumScreen(): boolean {
  return useMedia("(min-width: 48rem)");
}

/**
 * Tailwind's `lg` and up: a table of many columns has room beside the sidebar. Paper has room
 * without it.
 */
export function useIsLargeScreen(): boolean {
  return useMedia("print, (min-width: 64rem)");
}
