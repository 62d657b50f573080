import type { NotNull } from "kysely";
import type { HeldHostList, ListHeldHostsInput } from "../../../shared/held-hosts.ts";
import { paginate } from "../../../shared/page.ts";
import { positionIn } from "../../platform/database/expressions.ts";
import { kyselyOf } from "../../platform/database/kysely.ts";
import { anyOf } from "../../platform/database/sql.ts";
import type { Caller } from "../../platform/trpc/caller.ts";
import { viewerOf } from "./access.ts";
import type { HostsDeps } from "./deps.ts";
import { filterHosts } from "./filters.ts";
import { findPage } from "./page.ts";
import { toHost } from "./queries.ts";
import { selectHosts } from "./rows.ts";

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

  const { ids, total } = await findPage(em, {
    sort: "heldAt",
    order: "desc",
    viewer,
    hosts: held,
    isReadFirst: true,
    limit,
    offset: (page - 1) * limit,
  });
  const rows = await selectHosts(kyselyOf(em), viewer)
    .select(["h.heldRunId as runId", "h.heldAt", "h.heldReason as reason"])
    .where("h.id", "=", anyOf(ids))
    .where("h.heldAt", "is not", null)
    .orderBy((eb) => positionIn(ids, eb.ref("h.id")))
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
