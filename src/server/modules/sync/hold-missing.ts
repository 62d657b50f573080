import { isAnyHostHeld } from "../hosts/release-hosts.ts";
import type { NotifyDeps } from "../notice-records/deps.ts";
import { type Hold, holdHosts } from "./host-store.ts";
import { notifyOfHolds } from "./notices.ts";

/**
 * Holds hosts, and tells super admins when their configuration had none until now. `total`: how many
 * are held together, in this transaction and later ones. Returns whether a hold began or has another
 * reason.
 */
export async function holdMissingHosts(
  deps: NotifyDeps,
  hold: Hold,
  total: number,
): Promise<boolean> {
  const { configId, hosts, at } = hold;
  if (hosts.length === 0) return false;

  const wasAnyHeld = await isAnyHostHeld(deps.em, { configId });
  const isAnyHeld = await holdHosts(deps.em, hold);
  if (isAnyHeld && !wasAnyHeld) {
    const hostIds = hosts.map(({ id }) => id);
    await notifyOfHolds(deps, { configId, hostIds, total }, at);
  }
  return isAnyHeld;
}
