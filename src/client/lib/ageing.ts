/**
 * `refetchInterval` of what the server counts by the clock: hosts end without an event, and a console stays open for days. A tab that
 * nobody sees does not ask.
 */
export const AGEING_MS = 5 * 60_000;
