import type { AssignmentImportField, ImportResult } from "../../../shared/imports.ts";
import { importResult, runImport } from "../../platform/imports/run-import.ts";
import type { Upload } from "../../platform/imports/upload.ts";
import type { Caller } from "../../platform/trpc/caller.ts";
import { noteSeveral } from "../audit-records/note-subject.ts";
import { recordImport } from "../audit-records/record-import.ts";
import { withSharedNotices } from "../notice-records/shared-notices.ts";
import type { AssignmentsDeps } from "./deps.ts";
import { AssignmentPlanner } from "./plan-assignment.ts";

/** As many as keep nobody waiting for long: on the embedded database for its one connection. */
const PORTION_SIZE = 50;

/** Assigns the hosts of a file, and moves the ends of those that are assigned already. */
export async function importAssignments(
  deps: AssignmentsDeps,
  caller: Caller,
  upload: Upload<AssignmentImportField>,
): Promise<ImportResult> {
  noteSeveral(deps);
  const { rows, dryRun } = upload;
  const done = await withSharedNotices(deps, async (own) => {
    const planner = await AssignmentPlanner.create(own, caller, rows);
    return await runImport(own, { ...upload, planner, portionSize: PORTION_SIZE, lanes: 1 });
  });

  const result = importResult(done);
  const { summary } = result;
  await recordImport(deps, { action: "assignments.import", dryRun, summary });
  return result;
}
