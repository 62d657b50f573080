/**
 * Answers all who ask while a statement is under way with the next one: what a thousand ask at the same moment costs two statements
 * instead of a thousand, and no answer is older than its question. Keys are compared as those of a Map.
 */
export function answerTogether<Key, Answer>(
  answerAll: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Answer>>,
): (key: Key) => Promise<Answer | undefined> {
  let asked = new Set<Key>();
  let answers = Promise.withResolvers<ReadonlyMap<Key, Answer>>();
  let isAnswering = false;

  async function answer(): Promise<void> {
    isAnswering = true;
    // Those who heard of the same event ask in the same turn of the loop.
    await new Promise(setImmediate);
    while (asked.size > 0) {
      const keys = [...asked];
      const { resolve, reject } = answers;
      asked = new Set();
      answers = Promise.withResolvers();
      await answerAll(keys).then(resolve, reject);
    }
    isAnswering = false;
  }

  return async (key) => {
    asked.add(key);
    if (!isAnswering) void answer();
    return (await answers.promise).get(key);
  };
}
