/**
 * What is read of pg-boss's table, for `kyselyOf(em).withTables<JobTables>()`. The queue itself is
 * used through `JobQueue`; this is for a query that compares rows with their jobs.
 * It is no interface, because Kysely takes only a type for a record of tables.
 */
export type JobTables = {
  readonly "pgboss.job": {
    readonly name: string;
    readonly state: JobState;
    readonly data: Readonly<Record<string, string>>;
  };
};

type JobState = "created" | "retry" | "active" | "completed" | "cancelled" | "failed";

/** Of jobs that wait for a worker or have one. */
export const LIVE_JOB_STATES: readonly JobState[] = ["created", "retry", "active"];
