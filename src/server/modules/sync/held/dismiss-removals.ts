import type { HeldHostsDecision, HeldHostsInput } from "../../../../shared/held-hosts.ts";
import { anyOfRows } from "../../../platform/database/expressions.ts";
import { kyselyOf } from "../../../platform/database/kysely.ts";
import { anyOf } from "../../../platform/database/sql.ts";
import { inTransaction } from "../../../platform/database/transaction.ts";
import { countChanges } from "../../audit-records/field-changes.ts";
import { noteSubject } from "../../audit-records/note-subject.ts";
import { recordAudit } from "../../audit-records/record-audit.ts";
import { publishRemovals } from "../../hosts/events.ts";
import type { ConfigRow } from "../../provider-configs/entity.ts";
import { findConfig } from "../../provider-configs/queries.ts";
import type { SyncDeps } from "../deps.ts";
import { findStoredHosts } from "../refresh/for-each-config.ts";
import { DECIDED, ResultCollector, resultsOfNamed } from "./decision-results.ts";

/**
 * In one transaction: short enough for others who wait for the hosts, or for the only connection.
 */
const HOSTS_PER_DISMISSAL = 5_000;

/**
 * A person says keep: held hosts stay present. Until they were seen, runs neither hold them again
 * nor mark them gone.
 */
export async function dismissRemovals(
  deps: SyncDeps,
  input: HeldHostsInput,
): Promise<HeldHostsDecision> {
  return input.all
    ? await dismissAll(deps, input.configId)
    : await dismissNamed(deps, input.hostIds);
}

async function dismissNamed(
  deps: SyncDeps,
  hostIds: readonly string[],
): Promise<HeldHostsDecision> {
  const known = await findStoredHosts(deps.em, hostIds);
  const dismissed = await dismissSome(deps, { hostIds });
  return resultsOfNamed({ hostIds, known }, new Map(dismissed.map((id) => [id, DECIDED])));
}

async function dismissAll(deps: SyncDeps, configId: string): Promise<HeldHostsDecision> {
  const config = await findConfig(deps.em, configId);
  noteSubject(deps, { type: "config", id: configId, label: config.name });
  const collector = new ResultCollector();
  for (;;) {
    const dismissed = await dismissSome(deps, { config });
    for (const id of dismissed) collector.add(id, DECIDED);
    if (dismissed.length < HOSTS_PER_DISMISSAL) return collector.decision();
  }
}

type HeldHosts = { readonly hostIds: readonly string[] } | { readonly config: ConfigRow };

/**
 * Returns the ids of those that were held and are kept now. Hosts are locked in the usual order.
 */
async function dismissSome(deps: SyncDeps, which: HeldHosts): Promise<string[]> {
  const at = deps.clock.now();
  return await inTransaction(deps, async (em) => {
    const held = kyselyOf(em)
      .selectFrom("hosts as h")
      .select("h.id")
      .where("h.heldAt", "is not", null)
      .orderBy("h.ucloudId")
      .limit(HOSTS_PER_DISMISSAL)
      .forUpdate();
    const chosen =
      "hostIds" in which
        ? held.where("h.id", "=", anyOf(which.hostIds))
        : held.where("h.config", "=", which.config.id);

    const dismissed = await kyselyOf(em)
      .updateTable("hosts")
      .set({ dismissedAt: at, heldAt: null, heldReason: null, heldRunId: null })
      .where("id", "=", anyOfRows(chosen))
      .returning(["id", "name", "config"])
      .execute();
    await recordDismissal({ ...deps, em }, which, dismissed, at);

    const configIds = new Set(dismissed.flatMap(({ config }) => config ?? []));
    await publishRemovals(em, configIds, at);
    return dismissed.map(({ id }) => id);
  });
}

/** An entry for each host that a person has named; of all hosts of a configuration their number. */
async function recordDismissal(
  deps: SyncDeps,
  which: HeldHosts,
  dismissed: readonly { readonly id: string; readonly name: string }[],
  at: number,
): Promise<void> {
  const action = "hosts.dismissRemovals";
  if ("config" in which) {
    const { id, name } = which.config;
    const changes = countChanges({ keptHosts: dismissed.length });
    const subject = { type: "config", id, label: name } as const;
    if (changes.length > 0) await recordAudit(deps, { action, subject, changes }, at);
    return;
  }

  const changes = [{ field: "isHeld", from: true, to: false }] as const;
  for (const { id, name } of dismissed) {
    const subject = { type: "host", id, label: name } as const;
    await recordAudit(deps, { action, subject, changes }, at);
  }
}
