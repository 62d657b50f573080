import { Migration } from "@mikro-orm/migrations";

/**
 * Reminders of ends, and the ledger of those that were sent. They are off where users are used to
 * none, and on in a new installation, which has no user yet.
 */
export class Reminders extends Migration {
  override up(): void {
    this.addSql(`
      create table reminder_settings (
        id int not null primary key constraint reminder_settings_id_check check (id = 1),
        is_active boolean not null,
        assignment_marks jsonb not null default '[30, 7, 3, 1, 0]',
        host_marks jsonb not null default '[30, 7, 3, 1, 0]',
        send_at text not null default '09:00',
        reminds_client boolean not null default true,
        reminds_admin boolean not null default true,
        reminds_super_admin boolean not null default true,
        saved_at bigint not null default 0,
        covered_day int
      )`);
    this.addSql(`
      insert into reminder_settings (id, is_active)
      select 1, not exists (select from users)`);

    this.addSql(`
      create table reminders (
        id uuid not null primary key,
        type text not null,
        recipient_id uuid not null,
        recipient_name text not null,
        batch_id uuid not null,
        notice_id uuid not null,
        mark int,
        host_count int not null,
        sent_by_id uuid,
        sent_by_name text,
        created_at bigint not null
      )`);
    this.addSql("create unique index reminders_of_batches on reminders (batch_id, recipient_id)");
    this.addSql("create index reminders_of_recipients on reminders (recipient_id, id desc)");

    this.addSql(`
      create table reminder_hosts (
        id uuid not null primary key,
        reminder_id uuid not null,
        recipient_id uuid not null,
        host_id uuid not null,
        host_name text not null,
        assignment_id uuid,
        expire_time bigint not null,
        mark int,
        day int not null
      )`);
    this.addSql(`
      create index reminder_hosts_of_reminders
      on reminder_hosts (reminder_id, expire_time, id)`);
    this.addSql("create index reminder_hosts_of_hosts on reminder_hosts (host_id, reminder_id)");
    this.addSql(`
      create unique index reminder_hosts_once_a_mark
      on reminder_hosts (coalesce(assignment_id, host_id), expire_time, mark, recipient_id)
      where mark is not null`);
    this.addSql(`
      create unique index reminder_hosts_once_a_day
      on reminder_hosts (host_id, recipient_id, day) where mark is null`);
  }
}
