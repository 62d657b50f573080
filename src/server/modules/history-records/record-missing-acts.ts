import { sql } from "kysely";
import { DAY_SECONDS } from "../../../shared/time.ts";
import {
  IN_THEIR_ORDER,
  RECORD_ACTS_OF_ROWS,
} from "../../platform/database/migrations/acts-of-rows.ts";
import { MIGRATIONS_TABLE } from "../../platform/database/open.ts";
import { unixNow } from "../../platform/database/sql.ts";
import { inTransaction, type TransactionDeps } from "../../platform/database/transaction.ts";

/** To look for all acts that there ever were would take seconds. */
const WINDOW_SECONDS = 30 * DAY_SECONDS;

/**
 * Records the acts of the last 30 days that a replica of the version before has made. While
 * replicas are upgraded one by one, that version assigns hosts and decides renewals without
 * `recordHostActs`, and their history would lack these acts for good. So the clean-up looks for
 * rows that tell of an act which is not recorded. What this version does is recorded in the
 * transaction that writes the row: the statement sees both or none, and doubles nothing. Once the
 * migration is 30 days old, the statement ends before it reads any of them. To be deleted, with its
 * line in the clean-up, once every release that may run beside it has migration 0020.
 */
export async function recordMissingActs(deps: TransactionDeps): Promise<void> {
  const since = sql<number>`${unixNow()} - ${WINDOW_SECONDS}::bigint`;
  await inTransaction(deps, (em) =>
    sql`
      ${sql.raw(RECORD_ACTS_OF_ROWS)}
      where m.at > ${since}
        and exists (
          select
          from ${sql.table(MIGRATIONS_TABLE)}
          where name = 'HostActs' and extract(epoch from executed_at) > ${since}
        )
        and not exists (
          select
          from host_acts h
          where h.at > ${since}
            and h.kind = m.kind
            and coalesce(h.renewal_id, h.assignment_id) = coalesce(m.renewal_id, m.assignment_id)
        )
      ${sql.raw(IN_THEIR_ORDER)}
      on conflict (id) do nothing
    `.execute(em.getKysely()),
  );
}
