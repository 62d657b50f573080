import { Migration } from "@mikro-orm/migrations";
import { IN_THEIR_ORDER, RECORD_ACTS_OF_ROWS } from "./acts-of-rows.ts";

/**
 * Acts of people on hosts, one row each, which nothing changes. Before, they were read from
 * assignments and requests, whose person, time and remark the next act overwrites. What these rows
 * still tell is recorded here, within seconds for 100,000 of each.
 *
 * One sequence counts changes and acts, so that those of one second have an order. The changes that
 * are there keep none, because filling them in would rewrite the table. New ones get it by the
 * default, from replicas of the version before as well. Their columns come last: that lock keeps
 * writers out until the commit.
 *
 * Without foreign keys, as `host_changes`: history outlives what it tells of.
 */
export class HostActs extends Migration {
  override up(): void {
    this.addSql("create sequence host_history_seq");
    this.addSql(`
      create table host_acts (
        id uuid not null primary key,
        seq bigint not null default nextval('host_history_seq'),
        host_id uuid not null,
        kind text not null,
        at bigint not null,
        actor_type text,
        actor_id uuid,
        actor_name text,
        user_id uuid not null,
        user_name text not null,
        assignment_id uuid not null,
        renewal_id uuid,
        changes jsonb not null default '[]',
        remark text
      )`);
    this.addSql("alter sequence host_history_seq owned by host_acts.seq");
    this.addSql(`${RECORD_ACTS_OF_ROWS} ${IN_THEIR_ORDER}`);
    this.addSql("create index host_acts_of_hosts on host_acts (host_id, at desc, seq desc)");

    this.addSql(`
      alter table host_changes
        add column seq bigint,
        add column actor_id uuid,
        add column actor_name text`);
    this.addSql(
      "alter table host_changes alter column seq set default nextval('host_history_seq')",
    );
  }
}
