import { Migration } from "@mikro-orm/migrations";

/**
 * Second factors of users, the sign-ins that wait for one, and the roles that must have one. Nobody
 * has one and no role needs one until somebody says so. A replica of an earlier version lets users
 * in without asking for theirs, so nobody should set one up before the last of them is replaced.
 */
export class SecondFactor extends Migration {
  override up(): void {
    this.addSql(`
      create table second_factors (
        id uuid primary key,
        user_id uuid not null unique references users (id) on delete cascade,
        secret_sealed text not null,
        confirmed_at bigint,
        last_used_step bigint not null,
        created_at bigint not null
      )`);
    this.addSql(`
      create table recovery_codes (
        second_factor_id uuid not null references second_factors (id) on delete cascade,
        code_hash bytea not null,
        primary key (second_factor_id, code_hash)
      )`);
    this.addSql(`
      create table sign_in_challenges (
        token_hash bytea primary key,
        user_id uuid not null references users (id) on delete cascade,
        failures integer not null default 0,
        expires_at bigint not null
      )`);
    this.addSql("create index sign_in_challenges_user_id on sign_in_challenges (user_id)");
    this.addSql(`
      alter table settings
        add column second_factor_required_roles text[] not null default '{}'`);
  }
}
