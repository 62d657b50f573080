// Runs before the first paint, from its own file because the content security policy allows no
// inline script.
// Keep the key and the colours in step with lib/use-theme.ts.
(() => {
  let stored = null;
  try {
    stored = localStorage.getItem("console_theme");
  } catch {
    // Storage is closed to this page: follow the system.
  }
  const dark =
    stored === "dark" || (stored !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.classList.toggle("dark", dark);
  document
    .querySelector('meta[name="theme-color"]')
    ?.setAttribute("content", dark ? "#0e1014" : "#ffffff");
})();
