import type { StreamEvent } from "../../shared/events.ts";
import type { Caller } from "../core/ports.ts";
import type { StoredEvent } from "../events/append.ts";
import type { OpenEm } from "../events/presenters.ts";
import { findRenewal } from "./queries.ts";

export type StoredRenewalEvent = Extract<
  StoredEvent,
  { type: "renewal.created" | "renewal.processed" | "renewal.cancelled" }
>;

/** The request as this caller sees it now, or null when it is none of its business. */
export async function presentRenewalEvent(
  openEm: OpenEm,
  caller: Pick<Caller, "id" | "role">,
  { type, data: { renewalId } }: StoredRenewalEvent,
): Promise<StreamEvent | null> {
  const renewal = await findRenewal(openEm(), caller, renewalId);
  return renewal === null ? null : { type, data: renewal };
}
