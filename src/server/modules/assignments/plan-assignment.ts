import type { FieldError } from "../../../shared/errors.ts";
import { AssignHostInput } from "../../../shared/hosts.ts";
import type { ImportedRow } from "../../../shared/import-columns.ts";
import { importedEndText, parseImportedEnd } from "../../../shared/imported-end.ts";
import type { AssignmentImportField, ImportChange } from "../../../shared/imports.ts";
import { dropInvisibleEnds, trimText } from "../../../shared/invisible-text.ts";
import { inTransaction } from "../../platform/database/transaction.ts";
import { fieldErrorsOf } from "../../platform/failures.ts";
import type { ActOutcome, RowPlan, RowPlanner } from "../../platform/imports/run-import.ts";
import type { Caller } from "../../platform/trpc/caller.ts";
import { findPeriodProblem } from "../hosts/assigned-period.ts";
import type { CurrentAssignment } from "../hosts/find-by-names.ts";
import type { NamedUser } from "../users/find-by-usernames.ts";
import { type AssignHost, assignHosts, HOST_GONE } from "./assign-hosts.ts";
import type { AssignmentsDeps } from "./deps.ts";
import { keyOf, type Pair } from "./pair.ts";
import { type FoundHost, type NamesOfRow, StoredForImport } from "./stored-for-import.ts";

type AssignmentRow = ImportedRow<AssignmentImportField>;

const WRONG_END = "到期的格式不正确，例如 2026-12-31 或 2026-12-31 18:00";
const NO_END = "请填写到期或天数";
const TWO_ENDS = "到期与天数只能填写一个";
const PAST_END = "到期的日期已经过去，请填写以后的日期";
const NO_SUCH_CLIENT = "请填写一个启用中的C端用户的用户名";
const DAYS_OF_PRESENT = "该主机已分配给此用户，按天数的行不作修改；如需修改有效期，请填写到期";

/** Compares rows with what users have. No row depends on an earlier one: a pair may come once. */
export class AssignmentPlanner implements RowPlanner<AssignmentImportField, AssignHost> {
  readonly #deps: AssignmentsDeps;
  readonly #caller: Caller;
  readonly #stored: StoredForImport;
  /** What was read again, by line. */
  readonly #refreshed = new Map<number, StoredForImport>();
  /** The first line of each pair. */
  readonly #lines = new Map<string, number>();

  private constructor(deps: AssignmentsDeps, caller: Caller, stored: StoredForImport) {
    this.#deps = deps;
    this.#caller = caller;
    this.#stored = stored;
  }

  static async create(
    deps: AssignmentsDeps,
    caller: Caller,
    rows: readonly AssignmentRow[],
  ): Promise<AssignmentPlanner> {
    const stored = await StoredForImport.read(deps.em, rows.map(namesOf));
    return new AssignmentPlanner(deps, caller, stored);
  }

  async refresh(rows: readonly AssignmentRow[]): Promise<void> {
    const stored = await StoredForImport.read(this.#deps.em, rows.map(namesOf));
    for (const { line } of rows) this.#refreshed.set(line, stored);
  }

  /** In one transaction: all that are not refused, or none. */
  async carryOut(inputs: readonly AssignHost[]): Promise<ActOutcome[]> {
    return await inTransaction(this.#deps, (em) =>
      assignHosts({ ...this.#deps, em }, this.#caller, inputs),
    );
  }

  plan(row: AssignmentRow): RowPlan<AssignHost> {
    const stored = this.#refreshed.get(row.line) ?? this.#stored;
    const { host: hostText, username } = namesOf(row);
    const found = stored.findHost(hostText);
    const user = stored.findUser(username);
    const period = periodOf(row);

    const errors = [...hostErrors(found, hostText), ...userErrors(user), ...period.errors];
    if (errors.length > 0 || found.kind !== "found" || user === null) {
      return { kind: "refuse", action: "create", errors };
    }

    const pair = { hostId: found.host.id, userId: user.id };
    const firstLine = this.#firstLineOf(pair, row);
    if (firstLine !== row.line) {
      const message = `主机与用户都与第 ${firstLine} 行相同`;
      return { kind: "refuse", action: "skip", errors: [{ field: "userId", message }] };
    }
    return this.#planPair(row, { pair, current: stored.findAssignment(pair), period });
  }

  #firstLineOf(pair: Pair, { line }: AssignmentRow): number {
    const firstLine = this.#lines.get(keyOf(pair)) ?? line;
    this.#lines.set(keyOf(pair), firstLine);
    return firstLine;
  }

  #planPair(row: AssignmentRow, { pair, current, period }: PairOfRow): RowPlan<AssignHost> {
    const { days, assignedExpireTime } = period;
    if (current !== null && days !== undefined) {
      return { kind: "skip", reason: { field: "days", message: DAYS_OF_PRESENT } };
    }
    const remark = changedRemark(row, current);
    const isSameEnd = assignedExpireTime === current?.assignedExpireTime;
    if (current !== null && isSameEnd && remark === undefined) return { kind: "skip" };

    const action = current === null ? "create" : "update";
    const expectedExpireTime = current?.assignedExpireTime;
    const given = { ...pair, days, assignedExpireTime, expectedExpireTime, remark };
    const parsed = AssignHostInput.safeParse(given);
    if (!parsed.success) return { kind: "refuse", action, errors: fieldErrorsOf(parsed.error) };

    const now = this.#deps.clock.now();
    const problem = findPeriodProblem(parsed.data, current, now);
    if (problem !== null) {
      const isPast = assignedExpireTime !== undefined && assignedExpireTime <= now;
      const errors = isPast ? wrongEnd(PAST_END) : problem.fields;
      return { kind: "refuse", action, errors: errors ?? [] };
    }

    return {
      kind: "act",
      action,
      ...(current === null ? {} : { changes: changesOf(current, parsed.data) }),
      act: { ...parsed.data, expectsNone: current === null },
      assume: () => {},
    };
  }
}

interface PairOfRow {
  readonly pair: Pair;
  readonly current: CurrentAssignment | null;
  readonly period: PeriodOfRow;
}

interface PeriodOfRow {
  readonly days?: number;
  /** Unix seconds. */
  readonly assignedExpireTime?: number;
  readonly errors: readonly FieldError[];
}

function periodOf(row: AssignmentRow): PeriodOfRow {
  const end = codeOf(row, "assignedExpireTime");
  const days = codeOf(row, "days");
  if (end === "" && days === "") return { errors: wrongEnd(NO_END) };
  if (end !== "" && days !== "") return { errors: wrongEnd(TWO_ENDS) };
  // What is no number is refused with the words that are said of a wrong one.
  if (days !== "") return { days: /^\d{1,9}$/.test(days) ? Number(days) : Number.NaN, errors: [] };

  const assignedExpireTime = parseImportedEnd(end);
  if (assignedExpireTime !== null) return { assignedExpireTime, errors: [] };
  return { errors: wrongEnd(WRONG_END) };
}

function wrongEnd(message: string): FieldError[] {
  return [{ field: "assignedExpireTime", message }];
}

/** As a file would say it. */
function changesOf(
  current: CurrentAssignment,
  { assignedExpireTime: end, remark }: AssignHostInput,
): ImportChange[] {
  const changes: ImportChange[] = [];
  if (end !== undefined && end !== current.assignedExpireTime) {
    const from = importedEndText(current.assignedExpireTime);
    changes.push({ field: "assignedExpireTime", from, to: importedEndText(end) });
  }
  if (remark !== undefined) {
    changes.push({ field: "remark", from: current.remark ?? "", to: remark ?? "" });
  }
  return changes;
}

/** The same rules as those of `assertPresent`, which has the last word. */
function hostErrors(found: FoundHost, text: string): FieldError[] {
  switch (found.kind) {
    case "found":
      return found.host.goneAt === null ? [] : [{ field: "hostId", message: HOST_GONE }];
    case "several":
      return [
        {
          field: "hostId",
          message: `有 ${found.count} 台主机使用这个名称，请填写云服务商的主机 ID`,
        },
      ];
    case "none":
      return [{ field: "hostId", message: text === "" ? "主机不能为空" : "主机不存在" }];
  }
}

/** The same rules as those of `lockActiveClient`, which has the last word. */
function userErrors(user: NamedUser | null): FieldError[] {
  const isPossible = user?.role === "client" && user.isActive;
  return isPossible ? [] : [{ field: "userId", message: NO_SUCH_CLIENT }];
}

/** Undefined when the cell is empty or says what is stored, or would be by the rules of texts. */
function changedRemark(
  { cells }: AssignmentRow,
  current: CurrentAssignment | null,
): string | undefined {
  const cell = cells.get("remark") ?? "";
  if (trimText(cell) === "") return undefined;

  const isSame = cell === current?.remark || dropInvisibleEnds(cell) === current?.remark;
  return isSame ? undefined : cell;
}

function namesOf(row: AssignmentRow): NamesOfRow {
  return { host: codeOf(row, "hostId"), username: codeOf(row, "userId") };
}

function codeOf({ cells }: AssignmentRow, field: AssignmentImportField): string {
  return trimText(cells.get(field) ?? "");
}
