import type { SqlEntityManager } from "@mikro-orm/postgresql";
import type { Expression, SqlBool } from "kysely";
import type { ListActivityInput } from "../../../shared/audit.ts";
import { kyselyOf } from "../../platform/database/kysely.ts";
import type { EntryExpressions } from "./access.ts";
import type { filterEntries } from "./filters.ts";

/**
 * Entries are counted up to this many. To count millions of them takes seconds, and nobody pages
 * through ten thousand: who looks further narrows the time or filters.
 */
const MAX_COUNTED = 10_000;

type Entries = ReturnType<typeof filterEntries>;

/** Of an entry among those of the log. Neither of it ever changes. */
interface Position {
  readonly at: number;
  readonly seq: number;
}

interface FoundPage {
  /** The newest first. */
  readonly ids: readonly string[];
  /** `MAX_COUNTED` when there are as many or more. */
  readonly total: number;
}

/** A page that begins after the entries that are counted is empty. */
export async function findPage(
  em: SqlEntityManager,
  entries: Entries,
  { page, limit }: Pick<ListActivityInput, "page" | "limit">,
): Promise<FoundPage> {
  const total = await countEntries(em, entries);
  const offset = (page - 1) * limit;
  if (offset >= total) return { ids: [], total };

  const rows = await entries
    .select("e.id")
    .orderBy("e.at", "desc")
    .orderBy("e.seq", "desc")
    .limit(Math.min(limit, total - offset))
    .offset(offset)
    .execute();
  return { ids: rows.map(({ id }) => id), total };
}

/** The next entries, in the order of a list. */
export async function findNext(
  entries: Entries,
  { after, limit }: { readonly after: Position | null; readonly limit: number },
) {
  return await entries
    .select(["e.id", "e.at", "e.seq"])
    .where((eb) => (after === null ? eb.lit(true) : isFurther(eb, after)))
    .orderBy("e.at", "desc")
    .orderBy("e.seq", "desc")
    .limit(limit)
    .execute();
}

/** As a comparison of rows, for which the indexes are made. */
function isFurther(eb: EntryExpressions, { at, seq }: Position): Expression<SqlBool> {
  return eb(eb.refTuple("e.at", "e.seq"), "<", eb.tuple(at, seq));
}

async function countEntries(em: SqlEntityManager, entries: Entries): Promise<number> {
  const { total } = await kyselyOf(em)
    .selectFrom(entries.select("e.id").limit(MAX_COUNTED).as("counted"))
    .select((eb) => eb.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  return total;
}
