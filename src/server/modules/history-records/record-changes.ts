import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { sql } from "kysely";
import type { HostChangeKind, HostFieldChange } from "../../../shared/host-history.ts";
import type { Actor } from "../../platform/actor.ts";
import { createIdGenerator } from "../../platform/id-generator.ts";

/** What happened to one host. */
export interface HostChangeEntry {
  readonly hostId: string;
  readonly kind: HostChangeKind;
  readonly changes?: readonly HostFieldChange[];
}

export interface Occasion {
  /** When it happened, in Unix seconds. */
  readonly at: number;
  /** The run that did it, if a run did. */
  readonly runId: string | null;
  /** Who decided it. Absent for what a sync or a refresh found: nobody did that. */
  readonly decidedBy?: Actor | undefined;
}

/**
 * Adds entries to the history of hosts, in the transaction that changes the hosts: an entry is
 * there if and only if the change is. A statement may concern thousands of hosts, so they are sent
 * as one document instead of a parameter for each value. The ids carry the time `at`, by which old
 * entries are found, and keep the order of the entries.
 */
export async function recordHostChanges(
  em: SqlEntityManager,
  entries: readonly HostChangeEntry[],
  { at, runId, decidedBy }: Occasion,
): Promise<void> {
  if (entries.length === 0) return;

  const newId = createIdGenerator(entries.length, at);
  const rows = entries.map(({ hostId, kind, changes = [] }) => {
    return { id: newId(), host_id: hostId, kind, changes };
  });
  const person = decidedBy?.type === "user" ? decidedBy : null;
  await sql`
    insert into host_changes (id, host_id, kind, at, run_id, changes, actor_id, actor_name)
    select id, host_id, kind, ${at}::bigint, ${runId}::uuid, changes,
      ${person?.id ?? null}::uuid, ${person?.name ?? null}::text
    from json_populate_recordset(null::host_changes, ${JSON.stringify(rows)}::json)
  `.execute(em.getKysely());
}
