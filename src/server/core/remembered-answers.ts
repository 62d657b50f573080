import { sql } from "kysely";

/** Answers that are kept; a page of a hundred hosts is some 100 KB. */
const MOST = 50;

/**
 * Names what a statement sees: between two statements that name the same nothing was written, in no table. A server that takes
 * over from another may count transactions anew, but was not started in the same microsecond.
 */
export const SNAPSHOT = sql<string>`concat(pg_current_snapshot(), ' ', pg_postmaster_start_time())`;

/**
 * Answers to queries that this process has given before. Most lists are read again and again while nothing changes, and the
 * look at the caller's session, which no call goes without, tells in passing whether something has.
 */
export interface RememberedAnswers {
  /**
   * The answer given to an equal `question` in the same snapshot, or a new one. The question says all that an answer depends on
   * beside the database; the snapshot is one that was read after the call began.
   */
  recall<Answer extends { readonly ok: boolean }>(
    snapshot: string | undefined,
    question: readonly unknown[],
    answer: () => Promise<Answer>,
  ): Promise<Answer>;
}

interface Kept {
  readonly snapshot: string;
  /** Shared by those who ask while it is being made. */
  readonly answer: Promise<unknown>;
}

export function createRememberedAnswers(): RememberedAnswers {
  const kept = new Map<string, Kept>();

  function keep(key: string, entry: Kept): void {
    // What was asked longest ago goes first.
    kept.delete(key);
    kept.set(key, entry);
    for (const oldest of kept.keys()) {
      if (kept.size <= MOST) break;
      kept.delete(oldest);
    }
  }

  function forget(key: string, entry: Kept): void {
    if (kept.get(key) === entry) kept.delete(key);
  }

  return {
    async recall<Answer extends { readonly ok: boolean }>(
      snapshot: string | undefined,
      question: readonly unknown[],
      answer: () => Promise<Answer>,
    ) {
      if (snapshot === undefined) return await answer();
      const key = JSON.stringify(question);
      const known = kept.get(key);
      // An equal question has an answer of the same kind.
      if (known?.snapshot === snapshot) return (await known.answer) as Answer;
      // Made a little later than the snapshot: whoever meets the same one afterwards knows that nothing came in between.
      const made = answer();
      const entry: Kept = { snapshot, answer: made };
      keep(key, entry);
      try {
        const result = await made;
        if (!result.ok) forget(key, entry);
        return result;
      } catch (error) {
        forget(key, entry);
        throw error;
      }
    },
  };
}
