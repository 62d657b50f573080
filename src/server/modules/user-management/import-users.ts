import type { ImportResult, UserImportField } from "../../../shared/imports.ts";
import { importResult, runImport } from "../../platform/imports/run-import.ts";
import type { Upload } from "../../platform/imports/upload.ts";
import type { Caller } from "../../platform/trpc/caller.ts";
import { noteSeveral } from "../audit-records/note-subject.ts";
import { recordImport } from "../audit-records/record-import.ts";
import type { UserManagementDeps } from "./deps.ts";
import { roleOf, UserPlanner } from "./plan-user.ts";

/** As many as hashes of passwords run at once; a sign-in waits for one of them at most. */
const LANES = 2;

/**
 * Creates the users of a file that are new, and changes those that are there and differ. Admins come
 * first: an export has the newest users at its top, and clients may name an admin further down.
 */
export async function importUsers(
  deps: UserManagementDeps,
  caller: Caller,
  upload: Upload<UserImportField>,
): Promise<ImportResult> {
  noteSeveral(deps);
  const { rows, dryRun } = upload;
  const planner = await UserPlanner.create(deps, caller, rows);

  const run = { ...upload, planner, portionSize: 1, lanes: LANES };
  const [admins, others] = [rows.filter(isAdmin), rows.filter((row) => !isAdmin(row))];
  const done = [
    ...(await runImport(deps, { ...run, rows: admins })),
    ...(await runImport(deps, { ...run, rows: others })),
  ];

  const result = importResult(done);
  const { summary } = result;
  await recordImport(deps, { action: "users.import", dryRun, summary });
  return result;
}

function isAdmin(row: Parameters<typeof roleOf>[0]): boolean {
  return roleOf(row) === "admin";
}
