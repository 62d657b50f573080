import { Migration } from "@mikro-orm/migrations";

/**
 * What an account has left, as the last run that could read it found it, and below which it is low.
 * Nothing is known until the next run. A replica of an earlier version goes on without it.
 */
export class Balances extends Migration {
  override up(): void {
    this.addSql(`
      alter table configs
        add column balance_available_fen bigint,
        add column balance_amount_fen bigint,
        add column balance_at bigint,
        add column balance_alert_fen bigint`);
  }
}
