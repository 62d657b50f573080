import { sql } from "kysely";
import type { BatchHosts } from "../../../shared/batch.ts";
import type { HeldHostsInput } from "../../../shared/held-hosts.ts";
import type { Deps } from "../../core/deps.ts";
import { inTransaction } from "../../database/transaction.ts";
import { publishRemovals } from "./publish.ts";
import { findNamedHosts } from "./queries.ts";
import { resultsFor } from "./results.ts";

/** Keeps held hosts as present. Until they were seen, runs neither hold them again nor mark them gone. */
export async function dismissRemovals(
  deps: Pick<Deps, "em" | "bus" | "clock">,
  input: HeldHostsInput,
): Promise<BatchHosts> {
  const at = deps.clock.now();
  const named = await findNamedHosts(deps.em, input);
  const dismissed = await inTransaction(deps, async (em) => {
    const { rows } = await sql<{ id: string; configId: string | null }>`
      update hosts set dismissed_at = ${at}, missing_since = null, held_reason = null, held_run_id = null
      where id in (
        select id from hosts where id = any(${named.map(({ id }) => id)}::uuid[]) and missing_since is not null
        order by ucloud_id for update
      ) returning id, config_id as "configId"
    `.execute(em.getKysely());
    await publishRemovals(
      em,
      rows.map(({ configId }) => configId),
      at,
    );
    return new Set(rows.map(({ id }) => id));
  });
  return resultsFor(input, named, ({ id }) => (dismissed.has(id) ? { ok: true } : null));
}
