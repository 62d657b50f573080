import { useSyncExternalStore } from "react";

/*
 * Whether the live connection is refused for good, which a browser does not say: a handshake that a
 * proxy spoils, or that is one too many from its address, looks like a server that is down. The
 * difference is that other calls are answered meanwhile, so the server is asked after each handshake
 * that fails. An outage or a restart answers nothing, and begins the count anew.
 */

/** Refused in a row, over some twenty seconds. */
const MANY = 6;
/** Answered by every replica that lives, without a session. */
const PROBE = "/healthz";
const PROBE_TIMEOUT_MS = 5_000;

let refusals = 0;
const listeners = new Set<() => void>();

export async function noteHandshake(isAccepted: boolean): Promise<void> {
  if (isAccepted) setRefusals(0);
  else setRefusals((await isServerAnswering()) ? refusals + 1 : 0);
}

/** True once so many handshakes in a row were refused that it will not pass by itself. */
export function useIsAlwaysRefused(): boolean {
  return useSyncExternalStore(subscribe, () => refusals >= MANY);
}

function setRefusals(count: number): void {
  refusals = count;
  for (const listener of listeners) listener();
}

async function isServerAnswering(): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(PROBE_TIMEOUT_MS);
    const response = await fetch(PROBE, { cache: "no-store", signal });
    return response.ok;
  } catch {
    return false;
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
