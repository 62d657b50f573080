import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { appendEvents } from "../../events/append.ts";
import { publishHostEvents } from "../../hosts/events.ts";
import type { WrittenHost } from "../host-store.ts";

/** Rows of hosts of a configuration were written, and the holds of some ended. `at` in Unix seconds. */
export async function publishWrittenHosts(
  em: SqlEntityManager,
  { configId, hosts }: { readonly configId: string; readonly hosts: readonly WrittenHost[] },
  at: number,
): Promise<void> {
  await publishHostEvents(em, { configId, hostIds: hosts.map(({ id }) => id) }, at);
  await publishRemovals(
    em,
    hosts.map(({ heldBy }) => heldBy),
    at,
  );
}

/** The held hosts of these configurations are not the same any more. `at` in Unix seconds. */
export async function publishRemovals(
  em: SqlEntityManager,
  configIds: readonly (string | null)[],
  at: number,
): Promise<void> {
  const changed = [...new Set(configIds)].filter((id) => id !== null);
  await appendEvents(
    em,
    changed.map((configId) => ({ type: "removals.changed" as const, data: { configId } })),
    at,
  );
}
