import { useSyncExternalStore } from "react";
import { isPrinting } from "./is-printing";
import { readStorage, writeStorage } from "./storage";

export type ThemeChoice = "light" | "dark" | "system";

/** `public/theme.js` reads the same key before the first paint, and sets the same colours. */
const STORAGE_KEY = "console_theme";
const BROWSER_BAR = { light: "#ffffff", dark: "#0e1014" } as const;

const DARK_SYSTEM = "(prefers-color-scheme: dark)";
const listeners = new Set<() => void>();
const stored = readStorage(STORAGE_KEY);
let choice: ThemeChoice = stored === "light" || stored === "dark" ? stored : "system";
// Kept by its listener. Never read: Chromium tells a list nothing about a change that it was read
// after.
window.matchMedia(DARK_SYSTEM).addEventListener("change", () => {
  // Paper is light by CSS, and the page stays as it is.
  if (!isPrinting()) apply();
});

/** The choice of this browser. */
export function useTheme(): ThemeChoice {
  return useSyncExternalStore(subscribe, () => choice);
}

export function setTheme(chosen: ThemeChoice): void {
  choice = chosen;
  writeStorage(STORAGE_KEY, chosen === "system" ? null : chosen);
  apply();
}

/** What the choice comes to now. */
export function shownTheme(): "dark" | "light" {
  if (choice !== "system") return choice;
  return window.matchMedia(DARK_SYSTEM).matches ? "dark" : "light";
}

function apply(): void {
  const shown = shownTheme();
  const { classList } = document.documentElement;
  classList.add("theme-changing");
  classList.toggle("dark", shown === "dark");
  // Reading a height makes the browser compute every style now, while nothing may fade.
  document.body.getBoundingClientRect();
  classList.remove("theme-changing");
  document.querySelector('meta[name="theme-color"]')?.setAttribute("content", BROWSER_BAR[shown]);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
