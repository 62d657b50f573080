import { sql } from "kysely";
import type { Pool } from "pg";

/** A pool plans this many texts once for each connection; what comes later is planned for each call. */
const MOST = 100;
const MARK = "/* prepared */";

/**
 * Begins a statement that each connection plans once: for what is called all the time and has few texts, none of whose plans
 * depends on its parameters. On the embedded database, whose connections share one session, it means nothing.
 */
export const PREPARED = sql.raw(MARK);

/** Gives marked statements a name under which the server keeps them; the driver itself remembers which connection has which. */
export function prepareMarked(pool: Pool): void {
  const names = new Map<string, string>();
  pool.on("connect", (client) => {
    const query = client.query;
    Object.assign(client, {
      query: (...args: readonly unknown[]) => Reflect.apply(query, client, named(names, args)),
    });
  });
}

function named(names: Map<string, string>, args: readonly unknown[]): readonly unknown[] {
  const [text, values] = args;
  if (typeof text !== "string" || !Array.isArray(values) || !text.trimStart().startsWith(MARK)) return args;
  if (!names.has(text) && names.size < MOST) names.set(text, `console_${names.size}`);
  const name = names.get(text);
  return name === undefined ? args : [{ name, text, values }];
}
