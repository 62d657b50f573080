import { useState } from "react";
import type { Suggestion } from "./suggestions";

/** The list below a field: whether it is open, and which of its items the arrow keys have reached. */
export function useSuggestionList(matching: readonly Suggestion[]) {
  const [isWanted, setWanted] = useState(false);
  /** By its place; -1 is what was typed. */
  const [active, setActive] = useState(-1);
  const isOpen = isWanted && matching.length > 0;

  function open(): void {
    setActive(-1);
    setWanted(true);
  }

  function close(): void {
    setActive(-1);
    setWanted(false);
  }

  /** After the last item comes what was typed, and then the first. */
  function move(step: 1 | -1): void {
    if (!isOpen) {
      setWanted(true);
      return;
    }
    const places = matching.length + 1;
    setActive(((active + 1 + step + places) % places) - 1);
  }

  return { matching, isOpen, active, open, close, move };
}
