import { Migration } from "@mikro-orm/migrations";

/** Ways out of the console for notices, and each message that goes through one. */
export class NoticeChannels extends Migration {
  override up(): void {
    this.addSql(`
      create table notice_channels (
        id uuid not null primary key,
        name text not null,
        type text not null,
        is_active boolean not null default true,
        config_sealed text not null,
        types jsonb not null default '[]',
        paused_until bigint,
        created_at bigint not null
      )`);

    this.addSql(`
      create table notice_deliveries (
        id uuid not null primary key,
        channel_id uuid not null,
        channel_name text not null,
        batch_id uuid not null,
        notice_id uuid,
        type text not null,
        group_message jsonb,
        status text not null
          constraint notice_deliveries_status_check
          check (status in ('queued', 'sent', 'failed', 'skipped')),
        attempts int not null default 0,
        next_attempt_at bigint,
        last_attempt_at bigint,
        error text,
        created_at bigint not null
      )`);
    this.addSql(`
      create unique index notice_deliveries_once
      on notice_deliveries (batch_id, channel_id, type, coalesce(notice_id, batch_id))`);
    this.addSql(`
      create index notice_deliveries_due
      on notice_deliveries (channel_id, next_attempt_at) where status = 'queued'`);
    this.addSql(`
      create index notice_deliveries_unsent
      on notice_deliveries (status, batch_id, notice_id) where status <> 'sent'`);
    this.addSql(`
      create index notice_deliveries_newest
      on notice_deliveries (channel_id, last_attempt_at desc) where last_attempt_at is not null`);
  }
}
