import type { StreamEvent } from "../../shared/events.ts";
import { isSuperAdmin } from "../../shared/roles.ts";
import type { Caller } from "../core/ports.ts";
import type { StoredEvent } from "../events/append.ts";
import { createAudience } from "../events/audience.ts";
import type { PresenterDeps } from "../events/presenters.ts";
import { findRenewal } from "./queries.ts";
import { findViewersOf } from "./viewers.ts";

export type StoredRenewalEvent = Extract<
  StoredEvent,
  { type: "renewal.created" | "renewal.processed" | "renewal.cancelled" }
>;

/** The request as this caller sees it now, or null when it is none of its business. */
export function createRenewalEventPresenter(
  deps: PresenterDeps,
): (caller: Pick<Caller, "id" | "role">, stored: StoredRenewalEvent) => Promise<StreamEvent | null> {
  const maySee = createAudience(deps, (em, { renewalId }: StoredRenewalEvent["data"], viewers) =>
    findViewersOf(em, renewalId, viewers),
  );
  return async (caller, { type, data }) => {
    // Nearly all who listen are clients, and a request is one client's: they are asked for together, and only those it concerns read it.
    if (!isSuperAdmin(caller.role) && !(await maySee(data, caller))) return null;
    const renewal = await findRenewal(deps.openEm(), { ...caller, now: deps.clock.now() }, data.renewalId);
    return renewal === null ? null : { type, data: renewal };
  };
}
