import { Migration } from "@mikro-orm/migrations";

/** Tokens of programs. A replica of an earlier version refuses them, and goes on without them. */
export class ApiTokens extends Migration {
  override up(): void {
    this.addSql(`
      create table api_tokens (
        id uuid primary key,
        token_hash bytea not null unique,
        hint text not null,
        user_id uuid not null references users (id) on delete cascade,
        name text not null,
        scope text not null check (scope in ('read', 'full')),
        allowed_addresses jsonb not null,
        created_at bigint not null,
        expires_at bigint not null,
        last_used_at bigint,
        last_used_address text
      )`);
    this.addSql("create index api_tokens_user_id on api_tokens (user_id)");
  }
}
