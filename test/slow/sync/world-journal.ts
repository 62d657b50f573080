import { isDeepStrictEqual } from "node:util";
import type { HostHistoryKind } from "../../../src/shared/host-history.ts";
import type { ExpectedHost } from "./expected-host.ts";

/** An entry of a host's history, as far as the world decides it. */
export interface JournalEntry {
  readonly at: number;
  readonly kind: HostHistoryKind;
  /** By field. */
  readonly changes: Readonly<Record<string, { readonly from: unknown; readonly to: unknown }>>;
}

interface KnownHost {
  readonly host: ExpectedHost;
  readonly isPresent: boolean;
  readonly isHeld: boolean;
}

/**
 * What the console should know of a world, and the history that it should tell of it. It is kept
 * from what the world shows at the moment of each sync.
 */
export class WorldJournal {
  readonly #known = new Map<string, KnownHost>();
  readonly #entries = new Map<string, JournalEntry[]>();
  #endedHolds = 0;

  /** A sync at this time sees these hosts, and holds those of the others that are in `held`. */
  observe(at: number, shown: readonly ExpectedHost[], held: ReadonlySet<string>): void {
    const ids = new Set(shown.map(({ ucloudId }) => ucloudId));
    for (const [id, known] of this.#known) {
      if (!known.isPresent || ids.has(id)) continue;
      if (held.has(id)) this.#known.set(id, { ...known, isHeld: true });
      else this.#note(id, { at, kind: "gone", changes: {} }, { ...known, isPresent: false });
    }
    for (const host of shown) this.#see(at, host);
  }

  #see(at: number, host: ExpectedHost): void {
    const { ucloudId: id } = host;
    const now = { host, isPresent: true, isHeld: false };
    const known = this.#known.get(id);
    if (known === undefined) {
      this.#note(id, { at, kind: "created", changes: {} }, now);
      return;
    }

    const changes = changesOf(known.host, host);
    const hasChanged = Object.keys(changes).length > 0;
    if (!known.isPresent) this.#note(id, { at, kind: "returned", changes }, now);
    else if (hasChanged) this.#note(id, { at, kind: "changed", changes }, now);
    else if (known.isHeld) this.#endedHolds++;
    this.#known.set(id, now);
  }

  #note(id: string, entry: JournalEntry, known: KnownHost): void {
    this.#known.set(id, known);
    this.#entries.set(id, [...(this.#entries.get(id) ?? []), entry]);
  }

  /** By the provider's id, as they were last seen. */
  present(): Map<string, ExpectedHost> {
    const present = [...this.#known].filter(([, { isPresent }]) => isPresent);
    return new Map(present.map(([id, { host }]) => [id, host]));
  }

  gone(): string[] {
    return [...this.#known].filter(([, { isPresent }]) => !isPresent).map(([id]) => id);
  }

  /** Of each host that was ever seen, the oldest first. */
  histories(): ReadonlyMap<string, readonly JournalEntry[]> {
    return this.#entries;
  }

  /** Every kind of entry and every field that the histories name. */
  words(): string[] {
    const entries = [...this.#entries.values()].flat();
    const words = entries.flatMap(({ kind, changes }) => [kind, ...Object.keys(changes)]);
    return [...new Set(words)].toSorted();
  }

  /** Of held hosts that came back as they were: a sync counts these as updated. */
  get endedHolds(): number {
    return this.#endedHolds;
  }
}

function changesOf(before: ExpectedHost, after: ExpectedHost): JournalEntry["changes"] {
  const former = new Map<string, unknown>(Object.entries(before));
  const fields = Object.entries(after).map(([field, to]) => {
    return [field, { from: former.get(field), to }] as const;
  });
  return Object.fromEntries(fields.filter(([, { from, to }]) => !isSame(from, to)));
}

/** Addresses are a set. */
function isSame(one: unknown, other: unknown): boolean {
  const isList = Array.isArray(one) && Array.isArray(other);
  return isDeepStrictEqual(isList ? new Set(one) : one, isList ? new Set(other) : other);
}
