import type { EntityManager } from "@mikro-orm/postgresql";
import { v7 as newId } from "uuid";
import type { AuditAction } from "../../../shared/audit.ts";
import { MAX_CLOCK_SKEW_SECONDS } from "../../platform/clock.ts";
import { afterCommit } from "../../platform/database/after-commit.ts";
import { kyselyOf } from "../../platform/database/kysely.ts";
import { inTransaction } from "../../platform/database/transaction.ts";
import type { Deps } from "../../platform/deps.ts";
import { networkOf } from "../../platform/network-of.ts";
import { type actorColumns, subjectColumns } from "./record-audit.ts";

/** Equal failures within this time are one entry. */
const WINDOW_SECONDS = 60;
/** Of so many accounts the failed sign-ins of one source have entries of their own in that time. */
const MAX_ACCOUNTS = 20;
/** So that a flood from many sources does not become one long transaction. */
const ENTRIES_PER_TRANSACTION = 100;

const SIGN_INS: readonly string[] = ["auth.login", "auth.secondFactor"] satisfies AuditAction[];

type RecorderDeps = Pick<Deps, "em" | "bus" | "clock" | "log">;

type Columns = ReturnType<typeof actorColumns> & ReturnType<typeof subjectColumns>;

export interface Failure extends Columns {
  readonly action: string;
  readonly outcome: "denied" | "failed";
}

interface WaitingFailure {
  readonly failure: Failure;
  /** How many equal ones wait with it. */
  count: number;
}

/**
 * Records calls that were refused or failed, in transactions of its own: those of the calls were
 * rolled back, or there was none.
 *
 * Anybody can make calls fail, as fast as the network allows, so a flood must neither fill the
 * table nor take the database from others. Equal failures of one source within a minute are one
 * entry that counts them; it names what the first of them was about. And a process writes failures
 * with one connection: what fails while it writes waits, is counted together in memory, and is
 * written next. So a thousand equal failures are a few statements.
 *
 * Failed sign-ins are told apart by account, too, so that each owner reads about its own. Who tries
 * many accounts gets entries of the first ones of a minute, and one without an account for the rest.
 *
 * The first failure of a minute has its key in the entry, and a unique index leaves one entry for a
 * key. When the minute is over, the next failure takes the key from the old entry and adds a new
 * one.
 */
export class FailureRecorder {
  readonly #deps: RecorderDeps;
  readonly #accounts = new TriedAccounts();
  #waiting = new Map<string, WaitingFailure>();
  /** Ends when all that waits is written; null while nothing waits. */
  #next: Promise<void> | null = null;
  #writing: Promise<unknown> = Promise.resolve();

  constructor(deps: RecorderDeps) {
    this.#deps = deps;
  }

  /** Resolves when it is written. */
  async record(failed: Failure): Promise<void> {
    const failure = this.#withinAccounts(failed);
    const key = keyOf(failure);
    const equal = this.#waiting.get(key);
    if (equal === undefined) this.#waiting.set(key, { failure, count: 1 });
    else equal.count += 1;

    this.#next ??= this.#writeNext();
    await this.#next;
  }

  #withinAccounts(failure: Failure): Failure {
    if (!isSignIn(failure) || failure.subjectId === null) return failure;

    const now = this.#deps.clock.now();
    if (this.#accounts.add(sourceOf(failure), failure.subjectId, now)) return failure;
    return { ...failure, ...subjectColumns(null) };
  }

  async #writeNext(): Promise<void> {
    await this.#writing;
    const waiting = this.#waiting;
    this.#waiting = new Map();
    this.#next = null;

    const written = this.#write(waiting);
    this.#writing = written.catch(() => undefined);
    await written;
  }

  /** In the order of their keys, as every process does. */
  async #write(waiting: ReadonlyMap<string, WaitingFailure>): Promise<void> {
    const failures = [...waiting].toSorted(([a], [b]) => (a < b ? -1 : 1));
    for (let start = 0; start < failures.length; start += ENTRIES_PER_TRANSACTION) {
      await this.#writePortion(failures.slice(start, start + ENTRIES_PER_TRANSACTION));
    }
  }

  async #writePortion(failures: readonly (readonly [string, WaitingFailure])[]): Promise<void> {
    await inTransaction({ ...this.#deps, em: this.#deps.em.fork() }, async (em) => {
      const at = this.#deps.clock.now();
      for (const [key, { failure, count }] of failures) {
        const row = { ...failure, id: newId({ msecs: at * 1_000 }), at, count };
        await endWindow(em, key, at);
        const isNew = await countFailure(em, key, row);
        if (isNew) afterCommit(em, () => this.#deps.log.info({ audit: row }, "audit"));
      }
    });
  }
}

interface FailureRow extends Failure {
  readonly id: string;
  readonly at: number;
  readonly count: number;
}

/** Returns whether it is the first of its minute. */
async function countFailure(
  em: EntityManager,
  failureKey: string,
  row: FailureRow,
): Promise<boolean> {
  const stored = await kyselyOf(em)
    .insertInto("audit_entries")
    .values({ ...row, failureKey })
    .onConflict((conflict) =>
      conflict
        .column("failureKey")
        .where("failureKey", "is not", null)
        .doUpdateSet((eb) => ({
          count: eb("audit_entries.count", "+", eb.ref("excluded.count")),
        })),
    )
    .returning("id")
    .executeTakeFirstOrThrow();
  return stored.id === row.id;
}

/** One that a wrong clock has dated ahead ends, too: it would count until then. */
async function endWindow(em: EntityManager, failureKey: string, at: number): Promise<void> {
  await kyselyOf(em)
    .updateTable("audit_entries")
    .set({ failureKey: null })
    .where("failureKey", "=", failureKey)
    .where((eb) =>
      eb.or([eb("at", "<=", at - WINDOW_SECONDS), eb("at", ">", at + MAX_CLOCK_SKEW_SECONDS)]),
    )
    .execute();
}

/** Of whom, or from where; what; with which end. Of a sign-in also whose account it was. */
function keyOf(failure: Failure): string {
  const { action, outcome, subjectId } = failure;
  const account = isSignIn(failure) ? subjectId : null;
  return JSON.stringify([sourceOf(failure), action, outcome, account]);
}

function sourceOf({ actorId, ip }: Failure): string | null {
  return actorId ?? (ip === null ? null : networkOf(ip));
}

function isSignIn({ action }: Failure): boolean {
  return SIGN_INS.includes(action);
}

/** Which accounts each source has tried in vain within the current minute. */
class TriedAccounts {
  #minute = 0;
  #bySource = new Map<string | null, Set<string>>();

  /** False when the source has tried too many others before. */
  add(source: string | null, account: string, now: number): boolean {
    const minute = Math.floor(now / WINDOW_SECONDS);
    if (minute !== this.#minute) {
      this.#minute = minute;
      this.#bySource = new Map();
    }

    const accounts = this.#bySource.get(source) ?? new Set<string>();
    this.#bySource.set(source, accounts);
    if (accounts.has(account)) return true;
    if (accounts.size >= MAX_ACCOUNTS) return false;

    accounts.add(account);
    return true;
  }
}
