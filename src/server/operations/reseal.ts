import { BEFORE_ALL_IDS } from "../core/ids.ts";
import type { SecretBox } from "../core/secrets.ts";
import { StartError } from "../core/start-error.ts";
import { type Ask, hasTable } from "../database/ask.ts";
import { SEALED_COLUMNS, type SealedColumn, sealedPlace } from "./sealed-columns.ts";
import { tryOpen } from "./try-open.ts";

const ROWS_AT_ONCE = 100;

export interface ResealResult {
  /** Opened with an old key and sealed with the present one. */
  readonly resealed: number;
  /** Sealed with the present key before. */
  readonly current: number;
  /** Rows that none of the keys opens; they are left as they are. */
  readonly unopenable: readonly string[];
}

/**
 * Seals every value with the present key. May be run again at any time, beside servers that hold both keys: a value is replaced only where
 * it still is what was read, and whatever was written meanwhile is looked at once more.
 */
export async function resealAll(ask: Ask, secrets: SecretBox): Promise<ResealResult> {
  const sum = { resealed: 0, current: 0, unopenable: [] as string[] };
  for (const column of SEALED_COLUMNS) {
    if (!(await hasTable(ask, column.table))) {
      throw new StartError("数据库中没有本程序的数据：请检查 DATABASE_URL 或 DATA_DIR。");
    }
    const { resealed, current, unopenable } = await resealColumn(ask, secrets, column);
    sum.resealed += resealed;
    sum.current += current;
    sum.unopenable.push(...unopenable);
  }
  return sum;
}

interface Pass {
  readonly outcomes: Record<Outcome, number>;
  readonly unopenable: readonly string[];
}
type Outcome = "resealed" | "current" | "unopenable" | "overtaken";

async function resealColumn(ask: Ask, secrets: SecretBox, column: SealedColumn): Promise<ResealResult> {
  let resealed = 0;
  for (;;) {
    const { outcomes, unopenable } = await passOver(ask, secrets, column);
    const before = resealed;
    resealed += outcomes.resealed;
    if (outcomes.overtaken === 0) return { resealed, current: outcomes.current - before, unopenable };
  }
}

async function passOver(ask: Ask, secrets: SecretBox, column: SealedColumn): Promise<Pass> {
  const outcomes = { resealed: 0, current: 0, unopenable: 0, overtaken: 0 };
  const unopenable: string[] = [];
  for (let after = BEFORE_ALL_IDS; ; ) {
    const rows = await ask<SealedRow>(
      `select id, ${column.column} as sealed from ${column.table} where id > $1 order by id limit ${ROWS_AT_ONCE}`,
      [after],
    );
    for (const row of rows) {
      const outcome = await reseal(ask, secrets, { column, row });
      outcomes[outcome]++;
      if (outcome === "unopenable") unopenable.push(`${column.table} ${row.id}`);
      after = row.id;
    }
    if (rows.length < ROWS_AT_ONCE) return { outcomes, unopenable };
  }
}

interface SealedRow {
  readonly id: string;
  readonly sealed: string;
}

async function reseal(
  ask: Ask,
  secrets: SecretBox,
  { column, row }: { readonly column: SealedColumn; readonly row: SealedRow },
): Promise<Outcome> {
  const place = sealedPlace(column, row.id);
  const plain = tryOpen(secrets, row.sealed, place);
  if (plain === null) return "unopenable";
  if (secrets.isCurrent(row.sealed)) return "current";
  const changed = await ask(
    `update ${column.table} set ${column.column} = $1 where id = $2 and ${column.column} = $3 returning id`,
    [secrets.seal(plain, place), row.id, row.sealed],
  );
  return changed.length === 1 ? "resealed" : "overtaken";
}
