import { setImmediate as immediate, setTimeout as sleep } from "node:timers/promises";
import type { ErrorCode } from "../../../shared/error-kinds.ts";
import type { FieldError } from "../../../shared/errors.ts";
import type { ImportedRow } from "../../../shared/import-columns.ts";
import type {
  ImportAction,
  ImportChange,
  ImportResult,
  ImportRow,
  ImportSummary,
} from "../../../shared/imports.ts";
import type { Deps } from "../deps.ts";
import type { AppError } from "../errors.ts";
import { toAppError } from "../failures.ts";
import type { Upload } from "./upload.ts";

const HANG_UP = "没有执行：连接已断开或服务正在停止";
const NOT_TRIED = "没有执行：服务暂时不可用，请稍后重试";
const OUTCOME_UNKNOWN =
  "结果未知：服务暂时不可用，操作可能已经完成，请稍后重新导入：已完成的行不会改变";

/** No act of a row fails with these. */
const NOT_PERMITTED: readonly ErrorCode[] = [
  "UNAUTHENTICATED",
  "FORBIDDEN",
  "SECOND_FACTOR_REQUIRED",
];

const MAX_REFRESHES = 2;
const MAX_WAITS = 10;

/** What is to be done for a row, as far as that is known before it is done. */
export type RowPlan<Act> =
  | ActPlan<Act>
  | { readonly kind: "skip"; readonly reason?: FieldError }
  | {
      readonly kind: "refuse";
      readonly action: ImportAction;
      readonly errors: readonly FieldError[];
    };

interface ActPlan<Act> {
  readonly kind: "act";
  readonly action: Exclude<ImportAction, "skip">;
  /** What an update overwrites, and with what. */
  readonly changes?: readonly ImportChange[];
  readonly act: Act;
  /** Instead of `act` in a dry run: later rows of the file are judged as if it had been done. */
  readonly assume: () => void;
}

/** What became of an act. */
export type ActOutcome =
  | {
      readonly kind: "done";
      /** Of a new user, if it is told to nobody else. */
      readonly initialPassword?: string | null;
    }
  | { readonly kind: "refused"; readonly failure: AppError };

/** What an import of its kind knows of what is stored, and how it changes it. */
export interface RowPlanner<Field extends string, Act> {
  plan(row: ImportedRow<Field>): RowPlan<Act>;
  /** Reads again what is stored of these rows. */
  refresh(rows: readonly ImportedRow<Field>[]): Promise<void>;
  /**
   * Does the acts of a portion, and answers what became of each, in the same order. When it throws,
   * none of them is done, or it is not known whether they are.
   */
  carryOut(acts: readonly Act[]): Promise<readonly ActOutcome[]>;
}

interface ImportRun<Field extends string, Act> extends Upload<Field> {
  readonly planner: RowPlanner<Field, Act>;
  /** Rows that are carried out together. */
  readonly portionSize: number;
  /** Portions that are under way at once. */
  readonly lanes: number;
}

/**
 * Does for each row what its plan says: what fails for one leaves the others alone. A dry run makes
 * the same plans and writes nothing. Answers the rows in any order.
 *
 * Rows are carried out in portions. A transaction for each row would take most of its time to begin
 * and to commit; one for all would keep everybody else waiting for its locks, and on the embedded
 * database for its connection. What an act refuses concerns its row alone. When a portion fails as a
 * whole, its transaction was rolled back, and each of its rows is carried out by itself, so that the
 * one that is to blame fails alone.
 *
 * The plan of a row compares it with what was read at the start. An act that finds something else
 * fails with a conflict, whereupon the row is read and planned once more: it may be equal by now. So
 * two imports of one file do its rows once between them, whichever process each runs in.
 *
 * It stops at the end of a portion when the caller is gone, and when the database is: each of the
 * remaining portions would wait for it anew. Nobody knows whether the rows of the last one were
 * committed, and so they are told. What was done is in the audit log, and the same file can be
 * imported again.
 *
 * An import may take minutes, so before each portion that is written the caller is asked for anew:
 * when the session is dead, or the role another one, the whole call fails, and nobody gets the
 * initial passwords.
 */
export async function runImport<Field extends string, Act>(
  deps: Pick<Deps, "log">,
  run: ImportRun<Field, Act>,
): Promise<ImportRow[]> {
  const importer = new Importer(deps, run);
  return await importer.run();
}

/** A row with what is to be done for it. */
interface PlannedRow<Field extends string, Act> {
  readonly row: ImportedRow<Field>;
  readonly plan: ActPlan<Act>;
}

interface FailedRow<Field extends string, Act> extends PlannedRow<Field, Act> {
  readonly failure: AppError;
  readonly error: unknown;
}

class Importer<Field extends string, Act> {
  readonly #log: Deps["log"];
  readonly #run: ImportRun<Field, Act>;
  readonly #results: ImportRow[] = [];
  #isUnavailable = false;

  constructor({ log }: Pick<Deps, "log">, run: ImportRun<Field, Act>) {
    this.#log = log;
    this.#run = run;
  }

  async run(): Promise<ImportRow[]> {
    const { rows, portionSize } = this.#run;
    const portions = portionsOf(rows, portionSize).values();
    const lanes = Array.from({ length: this.#run.lanes }, () => this.#takePortions(portions));
    // When the call fails, it does so once no row is under way.
    await Promise.allSettled(lanes);
    await Promise.all(lanes);
    return this.#results;
  }

  async #takePortions(waiting: IterableIterator<readonly ImportedRow<Field>[]>): Promise<void> {
    for (const rows of waiting) {
      await this.#importRows(rows);
      // Plans await nothing, and there are thousands of them.
      await immediate();
    }
  }

  async #importRows(rows: readonly ImportedRow<Field>[]): Promise<void> {
    let due = rows;
    for (let attempts = 1; due.length > 0; attempts++) {
      const reason = this.#reasonToStop();
      if (reason !== null) {
        for (const row of due) this.#results.push(failed(row, "skip", wholeRow(reason)));
        return;
      }

      const planned = this.#planRows(due);
      const failures = await this.#carryOut(planned);
      due = await this.#readAgain(failures, attempts);
    }
  }

  #reasonToStop(): string | null {
    if (this.#run.signal.aborted) return HANG_UP;
    return this.#isUnavailable ? NOT_TRIED : null;
  }

  /** Those for which something is to be done. */
  #planRows(rows: readonly ImportedRow<Field>[]): PlannedRow<Field, Act>[] {
    const { planner, dryRun } = this.#run;
    const planned: PlannedRow<Field, Act>[] = [];
    for (const row of rows) {
      if (row.problem !== null) {
        this.#results.push(failed(row, "skip", wholeRow(row.problem)));
        continue;
      }

      const plan = planner.plan(row);
      if (plan.kind === "refuse") {
        this.#results.push(failed(row, plan.action, plan.errors));
      } else if (plan.kind === "skip") {
        this.#results.push(skipped(row, plan.reason));
      } else if (dryRun) {
        plan.assume();
        this.#results.push(done(row, plan));
      } else {
        planned.push({ row, plan });
      }
    }
    return planned;
  }

  /** Returns those that may have to be tried once more. */
  async #carryOut(
    planned: readonly PlannedRow<Field, Act>[],
  ): Promise<readonly FailedRow<Field, Act>[]> {
    if (planned.length === 0) return [];

    const { planner, assertPermitted } = this.#run;
    let isTried = false;
    try {
      await assertPermitted();
      isTried = true;
      const outcomes = await planner.carryOut(planned.map(({ plan }) => plan.act));
      return this.#takeOutcomes(planned, outcomes);
    } catch (error) {
      const failure = toAppError(error);
      if (NOT_PERMITTED.includes(failure.code)) throw failure;

      if (failure.code === "UNAVAILABLE") {
        this.#isUnavailable = true;
        this.#failWith(isTried ? OUTCOME_UNKNOWN : NOT_TRIED, planned);
        return [];
      }
      if (planned.length > 1) {
        this.#log.warn({ err: error }, "a portion of an import failed, its rows are tried alone");
        return await this.#carryOutEach(planned);
      }
      return planned.map((each) => ({ ...each, failure, error }));
    }
  }

  #takeOutcomes(
    planned: readonly PlannedRow<Field, Act>[],
    outcomes: readonly ActOutcome[],
  ): FailedRow<Field, Act>[] {
    const failures: FailedRow<Field, Act>[] = [];
    for (const [index, outcome] of outcomes.entries()) {
      const each = planned[index];
      if (each === undefined) continue;

      if (outcome.kind === "done") {
        this.#results.push(done(each.row, each.plan, outcome.initialPassword));
      } else {
        const { failure } = outcome;
        failures.push({ ...each, failure, error: failure });
      }
    }
    return failures;
  }

  async #carryOutEach(
    planned: readonly PlannedRow<Field, Act>[],
  ): Promise<readonly FailedRow<Field, Act>[]> {
    const failures: FailedRow<Field, Act>[] = [];
    for (const [index, each] of planned.entries()) {
      const reason = this.#reasonToStop();
      if (reason !== null) {
        this.#failWith(reason, planned.slice(index));
        break;
      }
      failures.push(...(await this.#carryOut([each])));
    }
    return failures;
  }

  /** Returns those that are to be planned once more. */
  async #readAgain(
    failures: readonly FailedRow<Field, Act>[],
    attempts: number,
  ): Promise<readonly ImportedRow<Field>[]> {
    const again = failures.filter(({ failure }) => isWorthRetrying(failure, attempts));
    for (const each of failures) if (!again.includes(each)) this.#fail(each);

    const outdated = again.filter(({ failure }) => isConflict(failure));
    try {
      if (outdated.length > 0) await this.#run.planner.refresh(outdated.map(({ row }) => row));
    } catch (error) {
      const failure = toAppError(error);
      for (const each of again) this.#fail({ ...each, failure, error });
      return [];
    }

    const waits = again.map(({ failure }) => failure.retryAfter ?? 0);
    if (Math.max(0, ...waits) > 0) await sleep(Math.max(...waits) * 1_000);
    return again.map(({ row }) => row);
  }

  #fail({ row, plan, failure, error }: FailedRow<Field, Act>): void {
    const { line } = row;
    if (failure.code === "UNAVAILABLE") this.#isUnavailable = true;
    if (failure.code === "INTERNAL") {
      this.#log.error({ err: error, line }, "unhandled error in an import");
    }
    const errors = failure.fields ?? wholeRow(failure.message);
    this.#results.push(failed(row, plan.action, errors));
  }

  #failWith(reason: string, planned: readonly PlannedRow<Field, Act>[]): void {
    for (const { row, plan } of planned) {
      this.#results.push(failed(row, plan.action, wholeRow(reason)));
    }
  }
}

function portionsOf<Row>(rows: readonly Row[], size: number): (readonly Row[])[] {
  const count = Math.ceil(rows.length / size);
  return Array.from({ length: count }, (_, at) => rows.slice(at * size, (at + 1) * size));
}

/** Somebody else was faster, or the queue of password hashes is full for a moment. */
function isWorthRetrying(failure: AppError, attempts: number): boolean {
  if (isConflict(failure)) return attempts <= MAX_REFRESHES;
  return failure.code === "TOO_MANY_REQUESTS" && attempts <= MAX_WAITS;
}

function isConflict({ code }: AppError): boolean {
  return code === "CONFLICT" || code === "STATE_CONFLICT";
}

function wholeRow(message: string): FieldError[] {
  return [{ field: "", message }];
}

type Line = Pick<ImportRow, "line">;

function failed({ line }: Line, action: ImportAction, errors: readonly FieldError[]): ImportRow {
  return { line, action, ok: false, errors: [...errors] };
}

function skipped({ line }: Line, reason: FieldError | undefined): ImportRow {
  return { line, action: "skip", ok: true, errors: reason === undefined ? [] : [reason] };
}

function done(
  { line }: Line,
  { action, changes }: ActPlan<unknown>,
  initialPassword: string | null = null,
): ImportRow {
  const overwritten = changes === undefined ? {} : { changes: [...changes] };
  const shown = initialPassword === null ? {} : { initialPassword };
  return { line, action, ok: true, errors: [], ...overwritten, ...shown };
}

/** The rows in the order of the file, and their sums. */
export function importResult(imported: readonly ImportRow[]): ImportResult {
  const rows = imported.toSorted((one, other) => one.line - other.line);
  return { rows, summary: summarizeRows(rows) };
}

function summarizeRows(rows: readonly ImportRow[]): ImportSummary {
  const count = (action: ImportAction) =>
    rows.filter((row) => row.ok && row.action === action).length;
  return {
    create: count("create"),
    update: count("update"),
    skip: count("skip"),
    failed: rows.filter(({ ok }) => !ok).length,
  };
}
