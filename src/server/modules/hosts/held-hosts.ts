import type { NotNull } from "kysely";
import type { HeldHostList, ListHeldHostsInput } from "../../../shared/held-hosts.ts";
import { paginate } from "../../../shared/page.ts";
import { columnsOf } from "../../platform/database/columns.ts";
import { anyOf } from "../../platform/database/sql.ts";
import type { Deps } from "../../platform/deps.ts";
import type { Caller } from "../../platform/trpc/caller.ts";
import { viewerOf } from "./access.ts";
import { filterHosts } from "./filters.ts";
import { countHosts, selectHosts, toHost } from "./queries.ts";

/** Hosts that wait for a person, those that have waited the shortest time first. */
export async function listHeldHosts(
  { em, clock }: Pick<Deps, "em" | "clock">,
  caller: Caller,
  input: ListHeldHostsInput,
): Promise<HeldHostList> {
  const viewer = viewerOf({ clock }, caller);
  const { configId, search, reason, limit, page } = input;

  let held = filterHosts(columnsOf(em), viewer, { configId, search }).where(
    "h.missing_since",
    "is not",
    null,
  );
  if (reason !== undefined) held = held.where("h.held_reason", "=", reason);

  const total = await countHosts(held);
  const found = await held
    .select("h.id")
    .orderBy("h.missing_since", "desc")
    .orderBy("h.sort_name")
    .orderBy("h.id")
    .limit(limit)
    .offset((page - 1) * limit)
    .execute();

  const rows = await selectHosts(em, viewer)
    .select(["h.held_run_id as runId", "h.missing_since as heldAt", "h.held_reason as reason"])
    .where("h.id", "=", anyOf(found.map(({ id }) => id)))
    .where("h.missing_since", "is not", null)
    .orderBy("h.missing_since", "desc")
    .orderBy("h.sort_name")
    .orderBy("h.id")
    .$narrowType<{ configId: NotNull; heldAt: NotNull; reason: NotNull }>()
    .execute();

  return {
    hosts: rows.map(({ runId, heldAt, reason, ...host }) => ({
      host: toHost(host, viewer),
      configId: host.configId,
      runId,
      heldAt,
      reason,
    })),
    pagination: paginate(input, total),
  };
}
