import { setImmediate as immediate, setTimeout as sleep } from "node:timers/promises";
import type { ErrorCode } from "../../../shared/error-kinds.ts";
import type { FieldError } from "../../../shared/errors.ts";
import type { ImportedRow } from "../../../shared/import-columns.ts";
import type {
  ImportAction,
  ImportChange,
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
export type RowPlan =
  | ActPlan
  | { readonly kind: "skip"; readonly reason?: FieldError }
  | {
      readonly kind: "refuse";
      readonly action: ImportAction;
      readonly errors: readonly FieldError[];
    };

interface ActPlan {
  readonly kind: "act";
  readonly action: Exclude<ImportAction, "skip">;
  /** What an update overwrites, and with what. */
  readonly changes?: readonly ImportChange[];
  /** Does it, and returns the initial password of a new user that is told to nobody else. */
  readonly act: () => Promise<string | null>;
  /** Instead of `act` in a dry run: later rows of the file are judged as if it had been done. */
  readonly assume: () => void;
}

/** What an import of its kind knows of what is stored. */
export interface RowPlanner<Field extends string> {
  plan(row: ImportedRow<Field>): RowPlan;
  /** Reads again what is stored of this row. */
  refresh(row: ImportedRow<Field>): Promise<void>;
}

interface ImportRun<Field extends string> extends Upload<Field> {
  readonly planner: RowPlanner<Field>;
  /** Rows that are under way at once. */
  readonly lanes: number;
}

/**
 * Does for each row what its plan says, each on its own: what fails for one leaves the others alone.
 * A dry run makes the same plans and writes nothing.
 *
 * The plan of a row compares it with what was read at the start. An act that finds something else
 * fails with a conflict, whereupon the row is read and planned once more: it may be equal by now. So
 * two imports of one file do its rows once between them, whichever process each runs in.
 *
 * It stops at the end of a row when the caller is gone, and when the database is: each of the
 * remaining rows would wait for it anew. What was done is in the audit log, and the same file can be
 * imported again.
 *
 * An import takes minutes, so each row that is written is asked for anew: when the caller's session
 * is dead, or the role another one, the whole call fails, and nobody gets the initial passwords.
 */
export async function runImport<Field extends string>(
  deps: Pick<Deps, "log">,
  run: ImportRun<Field>,
): Promise<ImportRow[]> {
  const importer = new Importer(deps, run);
  return await importer.run();
}

class Importer<Field extends string> {
  readonly #log: Deps["log"];
  readonly #run: ImportRun<Field>;
  readonly #results: ImportRow[] = [];
  #isUnavailable = false;

  constructor({ log }: Pick<Deps, "log">, run: ImportRun<Field>) {
    this.#log = log;
    this.#run = run;
  }

  async run(): Promise<ImportRow[]> {
    const waiting = this.#run.rows.values();
    const lanes = Array.from({ length: this.#run.lanes }, () => this.#takeRows(waiting));
    // When the call fails, it does so once no row is under way.
    await Promise.allSettled(lanes);
    await Promise.all(lanes);
    return this.#results;
  }

  async #takeRows(waiting: IterableIterator<ImportedRow<Field>>): Promise<void> {
    for (const row of waiting) {
      this.#results.push(await this.#importRow(row));
      // Plans await nothing, and there are thousands of them.
      await immediate();
    }
  }

  async #importRow(row: ImportedRow<Field>): Promise<ImportRow> {
    const { signal } = this.#run;
    if (signal.aborted) return failed(row, "skip", wholeRow(HANG_UP));
    if (this.#isUnavailable) return failed(row, "skip", wholeRow(NOT_TRIED));
    if (row.problem !== null) return failed(row, "skip", wholeRow(row.problem));

    return await this.#carryOut(row);
  }

  async #carryOut(row: ImportedRow<Field>): Promise<ImportRow> {
    const { planner, dryRun, assertPermitted } = this.#run;
    let action: ImportAction = "skip";
    let isOutdated = false;
    for (let attempts = 1; ; attempts++) {
      try {
        if (isOutdated) await planner.refresh(row);
        const plan = planner.plan(row);
        if (plan.kind === "refuse") return failed(row, plan.action, plan.errors);
        if (plan.kind === "skip") return skipped(row, plan.reason);

        action = plan.action;
        if (dryRun) {
          plan.assume();
          return done(row, plan, null);
        }
        await assertPermitted();
        return done(row, plan, await plan.act());
      } catch (error) {
        const failure = toAppError(error);
        if (NOT_PERMITTED.includes(failure.code)) throw failure;
        if (!isWorthRetrying(failure, attempts)) {
          return this.#failedAct(row, { action, failure, error });
        }
        isOutdated = isConflict(failure);
        if (failure.retryAfter !== undefined) await sleep(failure.retryAfter * 1_000);
      }
    }
  }

  #failedAct(row: ImportedRow<Field>, { action, failure, error }: FailedAct): ImportRow {
    const { line } = row;
    if (failure.code === "UNAVAILABLE") {
      this.#isUnavailable = true;
      return failed(row, action, wholeRow(OUTCOME_UNKNOWN));
    }
    if (failure.code === "INTERNAL") {
      this.#log.error({ err: error, line }, "unhandled error in an import");
    }
    return failed(row, action, failure.fields ?? wholeRow(failure.message));
  }
}

interface FailedAct {
  readonly action: ImportAction;
  readonly failure: AppError;
  readonly error: unknown;
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

function done({ line }: Line, plan: ActPlan, initialPassword: string | null): ImportRow {
  const { action, changes } = plan;
  const overwritten = changes === undefined ? {} : { changes: [...changes] };
  const shown = initialPassword === null ? {} : { initialPassword };
  return { line, action, ok: true, errors: [], ...overwritten, ...shown };
}

export function summarizeRows(rows: readonly ImportRow[]): ImportSummary {
  const count = (action: ImportAction) =>
    rows.filter((row) => row.ok && row.action === action).length;
  return {
    create: count("create"),
    update: count("update"),
    skip: count("skip"),
    failed: rows.filter(({ ok }) => !ok).length,
  };
}
