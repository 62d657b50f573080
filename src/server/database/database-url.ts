/** What this product sets itself: by its name a restore knows a server that is still connected, its limits end what nobody waits for. */
const OWN_PARAMETERS = [
  "application_name",
  "statement_timeout",
  "idle_in_transaction_session_timeout",
  "query_timeout",
];

/** The driver prefers what the address says to what it is told: these are taken out of it. */
export function withoutOwnParameters(url: string): string {
  const parsed = new URL(url);
  const given = OWN_PARAMETERS.filter((name) => parsed.searchParams.has(name));
  if (given.length === 0) return url;
  for (const name of given) parsed.searchParams.delete(name);
  return parsed.href;
}
