/**
 * Answers all who ask while a statement is under way with the next one: what a thousand ask at the same moment costs two statements
 * instead of a thousand, and no answer is older than its question. Keys are compared as those of a Map.
 */
export function answerTogether<Key, Answer>(
  answerAll: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Answer>>,
): (key: Key) => Promise<Answer | undefined> {
  let asked = new Map<Key, PromiseWithResolvers<Answer | undefined>>();
  let isAnswering = false;

  async function answer(): Promise<void> {
    isAnswering = true;
    // Those who heard of the same event ask in the same turn of the loop.
    await new Promise(setImmediate);
    while (asked.size > 0) {
      const answering = asked;
      asked = new Map();
      try {
        const answers = await answerAll([...answering.keys()]);
        for (const [key, waiting] of answering) waiting.resolve(answers.get(key));
      } catch (error) {
        for (const waiting of answering.values()) waiting.reject(error);
      }
    }
    isAnswering = false;
  }

  return (key) => {
    const present = asked.get(key);
    if (present !== undefined) return present.promise;
    const waiting = Promise.withResolvers<Answer | undefined>();
    asked.set(key, waiting);
    if (!isAnswering) void answer();
    return waiting.promise;
  };
}
