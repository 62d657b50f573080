/** Where everybody begins. */
export const HOME = "/dashboard";
const DOORS: readonly string[] = ["/login", "/change-password"];

/** `/login` with the place that was asked for, query included, so that the person gets back to it. */
export function withReturn(door: string): string {
  const asked = DOORS.includes(location.pathname)
    ? returnPath()
    : `${location.pathname}${location.search}${location.hash}`;
  return asked === "/" || asked === HOME ? door : `${door}?${new URLSearchParams({ from: asked })}`;
}

/** Where to go after the door. Only ever a place of this console: an address that leads elsewhere counts as none. */
export function returnPath(): string {
  const from = new URLSearchParams(location.search).get("from");
  if (from === null || !from.startsWith("/")) return HOME;
  const target = URL.parse(from, location.origin);
  if (target === null || target.origin !== location.origin || DOORS.includes(target.pathname)) return HOME;
  return `${target.pathname}${target.search}${target.hash}`;
}
