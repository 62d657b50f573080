import { Migration } from "@mikro-orm/migrations";

export class SignInLimits extends Migration {
  override up(): void {
    this.addSql(`
      create table known_addresses (
        user_id uuid not null references users (id) on delete cascade,
        address text not null,
        last_signed_in_at bigint not null,
        primary key (user_id, address)
      )`);
  }
}
