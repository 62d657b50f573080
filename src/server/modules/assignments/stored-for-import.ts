import type { SqlEntityManager } from "@mikro-orm/postgresql";
import {
  type CurrentAssignment,
  findCurrentAssignments,
  findHostsByNames,
  type NamedHost,
} from "../hosts/find-by-names.ts";
import { findByUsernames, type NamedUser } from "../users/find-by-usernames.ts";
import { usernameKey } from "../users/username-key.ts";
import { keyOf, type Pair } from "./pair.ts";

/** What a row of a file names: hosts by provider's id or name, users by username. */
export interface NamesOfRow {
  readonly host: string;
  readonly username: string;
}

export type FoundHost =
  | { readonly kind: "found"; readonly host: NamedHost }
  | { readonly kind: "several"; readonly count: number }
  | { readonly kind: "none" };

/** Hosts, users and assignments that rows of a file name, as they were stored at one moment. */
export class StoredForImport {
  readonly #hostsByProviderId: ReadonlyMap<string, NamedHost>;
  readonly #hostsByName: ReadonlyMap<string, readonly NamedHost[]>;
  readonly #users: ReadonlyMap<string, NamedUser>;
  readonly #assignments: ReadonlyMap<string, CurrentAssignment>;

  private constructor(
    hosts: readonly NamedHost[],
    users: ReadonlyMap<string, NamedUser>,
    assignments: readonly CurrentAssignment[],
  ) {
    const present = hosts.filter(({ goneAt }) => goneAt === null);
    this.#hostsByProviderId = new Map(hosts.map((host) => [host.ucloudId, host]));
    this.#hostsByName = Map.groupBy(present, ({ name }) => name);
    this.#users = users;
    this.#assignments = new Map(assignments.map((each) => [keyOf(each), each]));
  }

  static async read(em: SqlEntityManager, rows: readonly NamesOfRow[]): Promise<StoredForImport> {
    const hosts = await findHostsByNames(
      em,
      rows.map(({ host }) => host),
    );
    const users = await findByUsernames(
      em,
      rows.map(({ username }) => username),
    );
    const hostIds = hosts.map(({ id }) => id);
    const userIds = [...users.values()].map(({ id }) => id);
    const assignments = await findCurrentAssignments(em, { hostIds, userIds });
    return new StoredForImport(hosts, users, assignments);
  }

  /** By the provider's id, or by a name that only one present host has. */
  findHost(text: string): FoundHost {
    // A host may have no name at the provider.
    if (text === "") return { kind: "none" };

    const byProviderId = this.#hostsByProviderId.get(text);
    if (byProviderId !== undefined) return { kind: "found", host: byProviderId };

    const [host, ...others] = this.#hostsByName.get(text) ?? [];
    if (host === undefined) return { kind: "none" };
    if (others.length > 0) return { kind: "several", count: others.length + 1 };
    return { kind: "found", host };
  }

  findUser(username: string): NamedUser | null {
    return this.#users.get(usernameKey(username)) ?? null;
  }

  findAssignment(pair: Pair): CurrentAssignment | null {
    return this.#assignments.get(keyOf(pair)) ?? null;
  }
}
