import { Migration } from "@mikro-orm/migrations";

/** Each user may switch notices by e-mail off. */
export class MailPreference extends Migration {
  override up(): void {
    this.addSql("alter table users add column email_notices boolean not null default true");
  }
}
