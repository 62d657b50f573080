import type { Host } from "../../../shared/hosts.ts";
import { inTransaction } from "../../platform/database/transaction.ts";
import type { Caller } from "../../platform/trpc/caller.ts";
import { getHost } from "../hosts/queries.ts";
import { type AssignHost, assignHosts } from "./assign-hosts.ts";
import type { AssignmentsDeps } from "./deps.ts";

/** Assigns a host to a client, or changes the client's current assignment of it. */
export async function assignHost(
  deps: AssignmentsDeps,
  caller: Caller,
  input: AssignHost,
): Promise<Host> {
  return await inTransaction(deps, async (em) => {
    const own = { ...deps, em };
    const [outcome] = await assignHosts(own, caller, [input]);
    if (outcome?.kind === "refused") throw outcome.failure;

    return await getHost(own, caller, { id: input.hostId });
  });
}
