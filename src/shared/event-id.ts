/**
 * Of answers over HTTP: the newest event that was known before anything was read for the answer. A stream that begins after it misses
 * nothing that the answer does not show.
 */
export const EVENT_ID_HEADER = "X-Event-Id";
