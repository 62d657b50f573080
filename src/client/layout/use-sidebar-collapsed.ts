import { useState } from "react";

const STORAGE_KEY = "console_sidebar";

/** Whether the sidebar is the narrow rail; remembered by this browser. */
export function useSidebarCollapsed(): { isCollapsed: boolean; toggle: () => void } {
  const [isCollapsed, setCollapsed] = useState(readCollapsed);
  return {
    isCollapsed,
    toggle() {
      setCollapsed(!isCollapsed);
      try {
        localStorage.setItem(STORAGE_KEY, isCollapsed ? "open" : "rail");
      } catch {
        // Storage is closed to this page: the choice lasts as long as the page.
      }
    },
  };
}

function readCollapsed(): boolean {
  try {
    return localStorage.getItem(STORAGE_KEY) === "rail";
  } catch {
    return false;
  }
}
