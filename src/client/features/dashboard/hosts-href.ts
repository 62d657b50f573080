/**
 * The list of hosts behind a number, as a table: whoever follows a number wants to compare and to
 * choose. A list that is filtered by an end begins with the soonest.
 */
export function hostsHref(filters: Readonly<Record<string, string | number | boolean>>): string {
  const named = Object.entries({ ...filters, view: "table" }).map(([name, value]) => [
    name,
    String(value),
  ]);
  return `/hosts?${new URLSearchParams(named)}`;
}
