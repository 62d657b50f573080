import type { MikroORM } from "@mikro-orm/postgresql";
import type { Caller, FindLiveSessions } from "../core/ports.ts";

/** The caller of a session as of now, or null when it is dead. */
export type ReadLiveCaller = (sessionId: string) => Promise<Caller | null>;

/**
 * Answers all who ask while a statement is under way with the next one: an event that a thousand streams hear of costs
 * two statements instead of a thousand, and no answer is older than its question.
 */
export function createReadLiveCaller(orm: MikroORM, findLiveSessions: FindLiveSessions): ReadLiveCaller {
  let asked = new Map<string, PromiseWithResolvers<Caller | null>>();
  let isReading = false;

  async function read(): Promise<void> {
    isReading = true;
    // Those who heard of the same event ask in the same turn of the loop.
    await new Promise(setImmediate);
    while (asked.size > 0) {
      const answering = asked;
      asked = new Map();
      try {
        const callers = await findLiveSessions(orm.em.fork(), [...answering.keys()]);
        for (const [sessionId, answer] of answering) answer.resolve(callers.get(sessionId) ?? null);
      } catch (error) {
        for (const answer of answering.values()) answer.reject(error);
      }
    }
    isReading = false;
  }

  return (sessionId) => {
    const present = asked.get(sessionId);
    if (present !== undefined) return present.promise;
    const answer = Promise.withResolvers<Caller | null>();
    asked.set(sessionId, answer);
    if (!isReading) void read();
    return answer.promise;
  };
}
