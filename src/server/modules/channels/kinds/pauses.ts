/** For how long a channel sends nothing, in seconds. */

/** The other side gave no answer at all: the other messages would wait for nothing, too. */
export const PAUSE_WITHOUT_ANSWER = 60;

/**
 * The other side refuses password, key or address. Each message that is tried nevertheless would be
 * lost, and accounts are locked after many refusals. A changed configuration ends the pause.
 */
export const PAUSE_REFUSED = 3_600;
