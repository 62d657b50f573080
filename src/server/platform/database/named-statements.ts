import { createHash } from "node:crypto";
import pg from "pg";
import { reasonOf } from "../errors.ts";
import type { Log } from "../log.ts";

// PostgreSQL parses and plans a statement each time it is sent, unless it has a name: then it does
// so once for each connection, and after five runs also plans it without its values. For a small
// statement that is most of the work. `prepared.ts` says which statements are named.
//
// A named statement may be refused where the same text without a name is answered: when another
// process has changed the type of a column since it was planned, or when the connection leads
// through a pooler that gives each transaction another session, which knows no such name or has one
// of somebody else. The text is then sent again, and from then on without its name. Inside a
// transaction a refusal would end the transaction, so nothing is named there.

/** SQLSTATE of a result whose type has changed, a name that is unknown, and a name that is taken. */
const REFUSED_STATES = ["0A000", "26000", "42P05"];

const NAMES = new Map<string, string>();

/** The same text has the same name in every process, and no other text has it. */
export function nameStatement(text: string): void {
  NAMES.set(text, createHash("sha256").update(text).digest("hex").slice(0, 16));
}

/** The client of a pool that sends the statements of `nameStatement` with their names. */
export function namingClient(log: Log): typeof pg.Client {
  const refused = new Set<string>();

  function refuse(text: string, error: Error): void {
    if (refused.size === 0) {
      log.warn(
        { reason: reasonOf(error) },
        "the database refuses a statement by its name: it is sent without one from now on",
      );
    }
    refused.add(text);
  }

  return class NamingClient extends pg.Client {
    constructor(config?: string | pg.ClientConfig) {
      super(config);
      const send = this.query.bind(this);

      const sendNamed = async (name: string, text: string, values: unknown[]) => {
        try {
          return await send({ name, text, values });
        } catch (error) {
          if (!isRefusal(error)) throw error;

          refuse(text, error);
          return await send(text, values);
        }
      };

      this.query = new Proxy(send, {
        apply: (_send, _client, call) => {
          const [text, values] = call;
          // The query builder hands over text and values. All other calls pass as they are.
          const isNamed = call.length === 2 && Array.isArray(values) && !refused.has(text);
          const name = isNamed ? NAMES.get(text) : undefined;
          if (name === undefined || this.getTransactionStatus() !== "I") {
            return Reflect.apply(send, this, call);
          }
          return sendNamed(name, text, values);
        },
      });
    }
  };
}

function isRefusal(error: unknown): error is Error {
  return error instanceof Error && "code" in error && REFUSED_STATES.includes(String(error.code));
}
