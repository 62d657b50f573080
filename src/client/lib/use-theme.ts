import { useSyncExternalStore } from "react";

export type ThemeChoice = "light" | "dark" | "system";
type ResolvedTheme = "light" | "dark";

/** `public/theme.js` reads the same key before the first paint, and sets the same colours. */
const STORAGE_KEY = "console_theme";
const BROWSER_BAR = { light: "#ffffff", dark: "#0e1014" } as const;
const CHANGED = "console-theme";

/** The choice of this browser (follows the system unless chosen), what it comes to, and its setter. */
export function useTheme(): { theme: ThemeChoice; resolved: ResolvedTheme; setTheme: (choice: ThemeChoice) => void } {
  const theme = useSyncExternalStore(subscribe, readChoice, () => "system" as const);
  const resolved = useSyncExternalStore(subscribe, readResolved, () => "light" as const);
  return { theme, resolved, setTheme };
}

export function setTheme(choice: ThemeChoice): void {
  try {
    if (choice === "system") localStorage.removeItem(STORAGE_KEY);
    else localStorage.setItem(STORAGE_KEY, choice);
  } catch {
    // Storage is closed to this page: the choice then lasts as long as the page.
    document.documentElement.dataset.theme = choice;
  }
  apply();
  window.dispatchEvent(new Event(CHANGED));
}

function readChoice(): ThemeChoice {
  try {
    return parse(localStorage.getItem(STORAGE_KEY));
  } catch {
    return parse(document.documentElement.dataset.theme);
  }
}

function parse(stored: string | null | undefined): ThemeChoice {
  return stored === "light" || stored === "dark" ? stored : "system";
}

function readResolved(): ResolvedTheme {
  const choice = readChoice();
  if (choice !== "system") return choice;
  return darkSystem().matches ? "dark" : "light";
}

function darkSystem(): MediaQueryList {
  return window.matchMedia("(prefers-color-scheme: dark)");
}

function apply(): void {
  const resolved = readResolved();
  const { classList } = document.documentElement;
  classList.add("theme-changing");
  classList.toggle("dark", resolved === "dark");
  // Reading a height makes the browser compute every style now, while nothing may fade.
  document.body.getBoundingClientRect();
  classList.remove("theme-changing");
  document.querySelector('meta[name="theme-color"]')?.setAttribute("content", BROWSER_BAR[resolved]);
}

function subscribe(onChange: () => void): () => void {
  const system = darkSystem();
  const changed = () => {
    apply();
    onChange();
  };
  system.addEventListener("change", changed);
  window.addEventListener("storage", changed);
  window.addEventListener(CHANGED, onChange);
  return () => {
    system.removeEventListener("change", changed);
    window.removeEventListener("storage", changed);
    window.removeEventListener(CHANGED, onChange);
  };
}
