import { Migration } from "@mikro-orm/migrations";

/** The inbox of each user. */
export class Notices extends Migration {
  override up(): void {
    this.addSql(`
      create table notices (
        id uuid not null primary key,
        seq bigserial not null,
        user_id uuid not null,
        batch_id uuid not null,
        type text not null,
        severity text not null,
        title text not null,
        message text not null,
        link text,
        subjects jsonb not null default '[]',
        created_at bigint not null,
        read_at bigint
      )`);
    this.addSql("create index notices_of_users on notices (user_id, created_at desc, seq desc)");
    this.addSql("create index notices_unread on notices (user_id) where read_at is null");
    this.addSql("create unique index notices_of_batches on notices (batch_id, user_id, type)");
  }
}
