import { type RefObject, useEffect } from "react";
import { useHistoryState } from "wouter/use-browser-location";
import { z } from "zod";

/**
 * State of an entry of the browser's history: it was opened to read one thing of a page, as from
 * the command palette. That thing then takes the focus in place of the page, whose filters and list
 * would lie before it.
 */
export const LANDING = { isLanding: true } as const;

const LandingState = z.object({ isLanding: z.literal(true) });

/** Gives the element the focus when the page was opened for it. */
export function useLanding(element: RefObject<HTMLElement | null>): void {
  const state = useHistoryState<unknown>();

  useEffect(() => {
    if (!LandingState.safeParse(state).success) return undefined;

    // After the frame, which gives the focus to each page that opens.
    const frame = requestAnimationFrame(() => element.current?.focus());
    return () => cancelAnimationFrame(frame);
  }, [state, element]);
}
