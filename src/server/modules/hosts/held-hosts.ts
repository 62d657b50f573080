import type { NotNull } from "kysely";
import type { HeldHostList, ListHeldHostsInput } from "../../../shared/held-hosts.ts";
import { paginate } from "../../../shared/page.ts";
import { kyselyOf } from "../../platform/database/kysely.ts";
import { anyOf } from "../../platform/database/sql.ts";
import type { Caller } from "../../platform/trpc/caller.ts";
import { viewerOf } from "./access.ts";
import type { HostsDeps } from "./deps.ts";
import { filterHosts } from "./filters.ts";
import { countHosts, selectHosts, toHost } from "./queries.ts";

/** Hosts that wait for a person, those that have waited the shortest time first. */
export async function listHeldHosts(
  { em, clock }: HostsDeps,
  caller: Caller,
  input: ListHeldHostsInput,
): Promise<HeldHostList> {
  const viewer = viewerOf({ clock }, caller);
  const { configId, search, reason, limit, page } = input;

  let held = filterHosts(kyselyOf(em), viewer, { configId, search }).where(
    "h.heldAt",
    "is not",
    null,
  );
  if (reason !== undefined) held = held.where("h.heldReason", "=", reason);

  const total = await countHosts(held);
  const found = await held
    .select("h.id")
    .orderBy("h.heldAt", "desc")
    .orderBy("h.sortName")
    .orderBy("h.id")
    .limit(limit)
    .offset((page - 1) * limit)
    .execute();

  const rows = await selectHosts(em, viewer)
    .select(["h.heldRunId as runId", "h.heldAt", "h.heldReason as reason"])
    .where("h.id", "=", anyOf(found.map(({ id }) => id)))
    .where("h.heldAt", "is not", null)
    .orderBy("h.heldAt", "desc")
    .orderBy("h.sortName")
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
