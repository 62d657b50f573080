import { Migration } from "@mikro-orm/migrations";

/** Times are Unix seconds. Rows of history keep names beside ids, without foreign keys, so that they stay readable. */
export class Initial extends Migration {
  override up(): void {
    this.addSql("create extension if not exists pg_trgm");
    this.addSql(`
      create table users (
        id uuid primary key,
        username text not null,
        password_hash text not null,
        name text not null,
        role text not null check (role in ('super_admin', 'admin', 'client')),
        email text,
        phone text,
        is_active boolean not null default true,
        admin_id uuid references users (id) on delete set null,
        must_change_password boolean not null default false,
        created_at bigint not null,
        check (admin_id is null or role = 'client')
      )`);
    this.addSql("create unique index users_username_key on users (lower(username))");
    this.addSql("create index users_admin_id on users (admin_id)");

    this.addSql(`
      create table sessions (
        id uuid primary key,
        token_hash bytea not null unique,
        user_id uuid not null references users (id) on delete cascade,
        created_at bigint not null,
        last_used_at bigint not null,
        expires_at bigint not null,
        ip text not null,
        user_agent text not null
      )`);
    this.addSql("create index sessions_user_id on sessions (user_id)");

    this.addSql(`
      create table login_failures (
        account_key text primary key,
        window_started_at bigint not null,
        failures integer not null
      )`);

    this.addSql(`
      create table settings (
        id integer primary key check (id = 1),
        show_network_info_to_client boolean not null
      )`);
    this.addSql("insert into settings (id, show_network_info_to_client) values (1, false)");

    this.addSql(`
      create table configs (
        id uuid primary key,
        name text not null,
        public_key text not null,
        private_key_sealed text not null,
        api_url text not null,
        default_region text not null,
        project_ids jsonb not null default '[]',
        is_default boolean not null default false,
        is_active boolean not null default true,
        remark text,
        created_at bigint not null
      )`);
    this.addSql("create unique index configs_one_default on configs (is_default) where is_default");

    this.addSql(`
      create table hosts (
        id uuid primary key,
        ucloud_id text not null unique,
        config_id uuid references configs (id) on delete set null,
        project_id text not null default '',
        region text not null,
        zone text not null,
        name text not null,
        sort_name text collate "C" not null generated always as (left(coalesce(nullif(name, ''), ucloud_id), 64)) stored,
        search_text text collate "C" not null generated always as (lower(name || chr(10) || ucloud_id)) stored,
        cpu integer not null,
        memory integer not null,
        disk integer not null,
        os_name text not null,
        os_type text not null,
        status text not null,
        provider_status text not null,
        charge_type text not null,
        create_time bigint,
        expire_time bigint,
        ip_set jsonb not null,
        changed_at bigint not null,
        gone_at bigint
      )`);
    this.addSql(
      "create index hosts_partition on hosts (config_id, project_id, region) where gone_at is null",
    );
    this.addSql(`
      create index hosts_by_name on hosts (sort_name, id) include (region, status, search_text) where gone_at is null`);
    this.addSql("create index hosts_by_state on hosts (region, status) where gone_at is null");
    // A sync only appends to the pending list (8 MB); vacuum sorts it in.
    this.addSql(`
      create index hosts_search on hosts using gin (search_text gin_trgm_ops) with (gin_pending_list_limit = 8192)`);
    this.addSql("create index hosts_expire_time on hosts (expire_time) where gone_at is null");

    this.addSql(`
      create table sync_partitions (
        config_id uuid not null references configs (id) on delete cascade,
        project_id text not null,
        region text not null,
        read_at bigint not null,
        empty_since bigint,
        primary key (config_id, project_id, region)
      )`);

    this.addSql(`
      create table assignments (
        id uuid primary key,
        host_id uuid not null references hosts (id),
        user_id uuid not null,
        user_name text not null,
        user_username text not null,
        assigned_at bigint not null,
        assigned_expire_time bigint not null,
        remark text,
        assigned_by uuid not null,
        assigned_by_name text not null,
        created_at bigint not null,
        ended_at bigint,
        check (assigned_expire_time > assigned_at)
      )`);
    this.addSql(
      "create unique index assignments_current on assignments (host_id, user_id) where ended_at is null",
    );
    this.addSql(
      "create index assignments_user on assignments (user_id, host_id) where ended_at is null",
    );

    this.addSql(`
      create table renewals (
        id uuid primary key,
        assignment_id uuid not null references assignments (id),
        host_id uuid not null references hosts (id),
        user_id uuid not null,
        user_name text not null,
        user_username text not null,
        user_email text,
        user_phone text,
        requested_duration integer not null check (requested_duration between 1 and 365),
        status text not null check (status in ('pending', 'approved', 'rejected', 'completed', 'cancelled')),
        remark text,
        admin_remark text,
        created_at bigint not null,
        processed_at bigint,
        processed_by uuid,
        processed_by_name text
      )`);
    this.addSql(
      "create unique index renewals_pending on renewals (user_id, host_id) where status = 'pending'",
    );
    this.addSql("create index renewals_user on renewals (user_id, id desc)");
    this.addSql("create index renewals_status on renewals (status, id desc)");

    this.addSql(`
      create table sync_runs (
        id uuid primary key,
        config_id uuid not null,
        config_name text not null,
        trigger text not null,
        status text not null,
        requested_by uuid,
        requested_by_name text,
        started_at bigint not null,
        finished_at bigint,
        regions_total integer not null default 0,
        regions_done integer not null default 0,
        hosts_total integer not null default 0,
        hosts_seen integer not null default 0,
        created integer not null default 0,
        updated integer not null default 0,
        unchanged integer not null default 0,
        gone integer not null default 0,
        rejected integer not null default 0,
        errors jsonb not null default '[]',
        cancel_requested boolean not null default false,
        fence integer not null default 0,
        lease_owner text,
        lease_until timestamptz
      )`);
    this.addSql(
      "create unique index sync_runs_live on sync_runs (config_id) where status in ('queued', 'running')",
    );
    this.addSql("create index sync_runs_config on sync_runs (config_id, id desc)");

    this.addSql(`
      create table events (
        id bigint generated always as identity primary key,
        type text not null,
        payload jsonb not null,
        created_at bigint not null
      )`);
    this.addSql("create index events_created_at on events (created_at)");
  }
}
