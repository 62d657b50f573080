import type { AssignmentImportField, ImportResult } from "../../../shared/imports.ts";
import { runImport, summarizeRows } from "../../platform/imports/run-import.ts";
import type { Upload } from "../../platform/imports/upload.ts";
import type { Caller } from "../../platform/trpc/caller.ts";
import { noteSeveral } from "../audit-records/note-subject.ts";
import { recordImport } from "../audit-records/record-import.ts";
import { withSharedNotices } from "../notice-records/shared-notices.ts";
import type { AssignmentsDeps } from "./deps.ts";
import { AssignmentPlanner } from "./plan-assignment.ts";

/** Assigns the hosts of a file, and moves the ends of those that are assigned already. */
export async function importAssignments(
  deps: AssignmentsDeps,
  caller: Caller,
  upload: Upload<AssignmentImportField>,
): Promise<ImportResult> {
  noteSeveral(deps);
  const { rows, dryRun } = upload;
  const results = await withSharedNotices(deps, async (own) => {
    const planner = await AssignmentPlanner.create(own, caller, rows);
    return await runImport(own, { ...upload, planner, lanes: 1 });
  });

  const summary = summarizeRows(results);
  await recordImport(deps, { action: "assignments.import", dryRun, summary });
  return { rows: results, summary };
}
