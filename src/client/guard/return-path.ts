/** The first page after sign-in. */
export const HOME = "/dashboard";
const SIGN_IN_PAGES: readonly string[] = ["/login", "/change-password"];

/** `/login` with the address that was requested, query included, for the way back. */
export function withReturn(page: string): string {
  const target = SIGN_IN_PAGES.includes(location.pathname)
    ? returnPath()
    : `${location.pathname}${location.search}${location.hash}`;
  return target === "/" || target === HOME ? page : `${page}?${new URLSearchParams({ from: target })}`;
}

/** Where to go after the sign-in. Only an address of this console. */
export function returnPath(): string {
  const from = new URLSearchParams(location.search).get("from");
  if (from === null || !from.startsWith("/")) return HOME;
  const target = URL.parse(from, location.origin);
  if (target === null || target.origin !== location.origin || SIGN_IN_PAGES.includes(target.pathname)) return HOME;
  return `${target.pathname}${target.search}${target.hash}`;
}
