/** One kind of background work. Handlers may be called more than once for the same payload, on any replica. */
export interface Job {
  readonly name: string;
  /** When it comes due by itself, in UTC; minutes are the finest step. */
  readonly cron?: string;
  /** How soon a message is found, in seconds, 0.5 or more. */
  readonly pollSeconds: number;
  /** The process that sends it begins at once, without waiting for the queue to bring it back. */
  readonly isBegunBySender?: boolean;
  handle(payload: unknown): Promise<void>;
}
