/** The queue's name for "work on this run"; its payload is `{runId}`. */
export const SYNC_RUN_JOB = "sync-run";
