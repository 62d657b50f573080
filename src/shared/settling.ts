/**
 * Seconds before each of the rounds in which the server asks again for a host that is starting,
 * stopping or rebooting, one after the other. After the last one the next sync begins anew.
 */
export const SETTLING_WAITS = [15, 30, 60, 120, 300] as const;

/** From the moment at which a host was seen to leave its status to the last round. */
export const SETTLING_SECONDS = SETTLING_WAITS.reduce((total, wait) => total + wait, 0);
