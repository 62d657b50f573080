import type { AnnotateHostInput } from "../../../shared/annotations.ts";
import type { Host } from "../../../shared/hosts.ts";
import { inTransaction } from "../../platform/database/transaction.ts";
import type { Caller } from "../../platform/trpc/caller.ts";
import { noteSubject } from "../audit-records/note-subject.ts";
import type { AnnotateDeps } from "./deps.ts";
import { lockHost } from "./locks.ts";
import { getHost } from "./queries.ts";
import { writeAnnotations } from "./write-annotations.ts";

/**
 * Of two who write the same field the later one wins; the audit log has what it replaced. Fields
 * that are not given stay as they are, so tags and note may be written at once.
 */
export async function annotateHost(
  deps: AnnotateDeps,
  caller: Caller,
  { id, ...annotations }: AnnotateHostInput,
): Promise<Host> {
  return await inTransaction(deps, async (em) => {
    const host = await lockHost(em, id);
    noteSubject(deps, { type: "host", id, label: host.name });

    await writeAnnotations({ ...deps, em }, host, annotations);
    return await getHost({ ...deps, em }, caller, { id });
  });
}
