import type { ImportedRow } from "../../../shared/import-columns.ts";

/** What an `importProcedure` gives its service. */
export interface Upload<Field extends string> {
  readonly rows: readonly ImportedRow<Field>[];
  readonly dryRun: boolean;
  /** Aborted when the caller hangs up or the process stops. */
  readonly signal: AbortSignal;
  /** Throws when the caller may not import any more. */
  readonly assertPermitted: () => Promise<void>;
}
