import { useState } from "react";
import { LARGE_SCREEN, useMedia } from "@/lib/use-media";

const STORAGE_KEY = "console_sidebar";

/** Whether the sidebar is the narrow rail; remembered by this browser. Until it is told, as the screen has room. */
export function useSidebarCollapsed(): { isCollapsed: boolean; toggle: () => void } {
  const isRoomy = useMedia(LARGE_SCREEN);
  const [chosen, setChosen] = useState(readChoice);
  const isCollapsed = chosen === null ? !isRoomy : chosen === "rail";
  return {
    isCollapsed,
    toggle() {
      const next = isCollapsed ? "open" : "rail";
      setChosen(next);
      try {
        localStorage.setItem(STORAGE_KEY, next);
      } catch {
        // Storage is closed to this page: the choice lasts as long as the page.
      }
    },
  };
}

function readChoice(): string | null {
  try {
    return localStorage.getItem(STORAGE_KEY);
  } catch {
    return null;
  }
}
