import { Migration } from "@mikro-orm/migrations";

/**
 * Who did what, was refused or failed. Without foreign keys, as the history of hosts: an entry
 * outlives what it tells of. Replicas of an earlier version write none.
 */
export class AuditLog extends Migration {
  override up(): void {
    this.addSql(`
      create table audit_entries (
        id uuid not null primary key,
        seq bigserial not null,
        at bigint not null,
        actor_type text not null,
        actor_id uuid,
        actor_name text,
        token_id uuid,
        token_name text,
        action text collate "C" not null,
        subject_type text,
        subject_id uuid,
        subject_label text,
        outcome text not null,
        ip text,
        user_agent text,
        request_id text,
        changes jsonb not null default '[]',
        count int not null default 1,
        failure_key text,
        search_text text collate "C"
          generated always as (lower(coalesce(actor_name, '') || chr(10) || coalesce(subject_label, '') || chr(10) || coalesce(ip, ''))) stored
      )`);
    this.addSql("create index audit_entries_by_time on audit_entries (at desc, seq desc)");
    this.addSql(`
      create index audit_entries_of_actors on audit_entries (actor_id, at desc, seq desc)
      where actor_id is not null`);
    this.addSql(`
      create index audit_entries_of_subjects on audit_entries (subject_id, at desc, seq desc)
      where subject_id is not null`);
    this.addSql(
      "create index audit_entries_of_actions on audit_entries (action, at desc, seq desc)",
    );
    this.addSql(`
      create index audit_entries_of_subject_types on audit_entries
        (subject_type, at desc, seq desc)`);
    this.addSql(`
      create index audit_entries_without_success on audit_entries (at desc, seq desc)
      where outcome <> 'ok'`);
    this.addSql(`
      create unique index audit_entries_failures on audit_entries (failure_key)
      where failure_key is not null`);
    // Where there is one of hosts (0024), too.
    this.addSql(`
      do $index$
      begin
        if version() not like '%PGlite%' and exists (
          select from pg_opclass where opcname = 'gin_trgm_ops' and pg_opclass_is_visible(oid)
        ) then
          create index audit_entries_search on audit_entries using gin (search_text gin_trgm_ops);
        end if;
      end
      $index$`);
  }
}
