import type { IdInput } from "../../../shared/ids.ts";
import type { Renewal } from "../../../shared/renewals.ts";
import type { Caller } from "../../platform/trpc/caller.ts";
import type { RenewalsDeps } from "./deps.ts";
import { RenewalEntity } from "./entity.ts";
import { findUndo } from "./find-undo.ts";
import { findUndoneDecisions } from "./former-state.ts";
import { presentUndone } from "./present.ts";
import { getRenewal, renewalNotFound } from "./queries.ts";

/**
 * A request with the decisions that were undone, and to those who may undo its last decision what
 * that would lead to. Lists go by status and time alone: the rest is in the history of each.
 */
export async function getRenewalDetails(
  deps: RenewalsDeps,
  caller: Caller,
  input: IdInput,
): Promise<Renewal> {
  const { em, clock } = deps;
  const found = await getRenewal(deps, caller, input);
  const undone = await findUndoneDecisions(em, found);
  const undoneDecisions = undone.map((each) => presentUndone(each, caller));
  const renewal = undone.length === 0 ? found : { ...found, undoneDecisions };
  if (renewal.undoableUntil === null) return renewal;

  const row = await em.findOneOrFail(
    RenewalEntity,
    { id: input.id },
    { populate: ["assignment"], failHandler: renewalNotFound },
  );
  const undo = await findUndo(em, row, row.assignment, clock.now());
  if (undo.kind === "refused") return { ...renewal, undoableUntil: null };

  return { ...renewal, undoneStatus: undo.former.status };
}
