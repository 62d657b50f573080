import type { SqlEntityManager } from "@mikro-orm/postgresql";
import type { ListAuditInput } from "../../../shared/audit.ts";
import { kyselyOf } from "../../platform/database/kysely.ts";

/*
 * An index of all parts of three letters finds a text in millions of entries. It is of no help to a
 * text of one or two letters, as many Chinese names are, and is absent on the embedded database and
 * where its extension is. To read millions of entries takes seconds, so such a search looks at the
 * newest ones alone, unless it says itself from when on, or whose entries it is about.
 */

const INDEXED_LETTERS = 3;
/** Of these are all that a small installation has. */
const SEARCHED_ENTRIES = 200_000;

/** From when on a search looks, in Unix seconds; undefined for all time. */
export async function searchedSince(
  em: SqlEntityManager,
  input: ListAuditInput,
): Promise<number | undefined> {
  const { from, actorId, subjectId } = input;
  const search = input.search?.trim() ?? "";
  const isNarrow = from !== undefined || actorId !== undefined || subjectId !== undefined;
  if (search === "" || isNarrow) return from;

  const isLong = [...search].length >= INDEXED_LETTERS;
  if (isLong && (await hasSearchIndex(em))) return undefined;
  return await findOldestSearched(em, input);
}

async function hasSearchIndex(em: SqlEntityManager): Promise<boolean> {
  const { index } = await kyselyOf(em)
    .selectNoFrom((eb) =>
      eb.fn<string | null>("to_regclass", [eb.val("audit_entries_search")]).as("index"),
    )
    .executeTakeFirstOrThrow();
  return index !== null;
}

/** Undefined when there are not that many. */
async function findOldestSearched(
  em: SqlEntityManager,
  { to }: ListAuditInput,
): Promise<number | undefined> {
  let entries = kyselyOf(em).selectFrom("audit_entries as e").select("e.at");
  if (to !== undefined) entries = entries.where("e.at", "<=", to);

  const oldest = await entries
    .orderBy("e.at", "desc")
    .orderBy("e.seq", "desc")
    .offset(SEARCHED_ENTRIES)
    .limit(1)
    .executeTakeFirst();
  return oldest?.at;
}
