import { afterAll, beforeAll, beforeEach } from "vitest";
import type { Role } from "../../src/shared/roles.ts";
import { type Account, startTestServer, TestApp } from "./app.ts";
import { assign, decide, insertHost, insertNotice, now, requestRenewal } from "./data.ts";
import { insertRows } from "./database.ts";
import { type FormerRows, insertFormerRows } from "./former-rows.ts";
import { restoreSnapshot, type Snapshot, takeSnapshot, WITHOUT_AUDIT } from "./snapshot.ts";
import type { StartOptions } from "./start-app.ts";

type AccountName =
  | "boss"
  | "admin"
  | "otherAdmin"
  | "client"
  | "sibling"
  | "stranger"
  | "foreigner";
type HostName = "first" | "second" | "third" | "fourth";
type ConfigName = "config" | "otherConfig";
type RenewalName = `${HostName}/${AccountName}`;

/** The clients that have each host, in the order in which they got it. */
const HOLDERS = {
  first: ["client", "stranger", "sibling"],
  second: ["client", "stranger"],
  third: ["client", "foreigner"],
  fourth: ["sibling", "foreigner"],
} as const;

/** Requests that are open: two of different clients on a host, and two of a client. */
const OPEN_RENEWALS = [
  { host: "first", client: "client", status: "pending" },
  { host: "first", client: "stranger", status: "approved" },
  { host: "second", client: "client", status: "approved" },
  { host: "second", client: "stranger", status: "pending" },
  { host: "fourth", client: "sibling", status: "pending" },
  { host: "fourth", client: "foreigner", status: "pending" },
] as const;

const UUID = /[0-9a-f]{8}-[0-9a-f-]{27}/g;

/** What an act changed: its rows, and its events with the rows that they name, both sorted. */
export interface Effects {
  readonly rows: string[];
  readonly events: string[];
}

/**
 * Two of each, so that an act that reaches too far is seen: two super admins, two admins with two
 * clients each, two sessions of everybody, two configurations of one region with a host in each of
 * their two projects, two or three clients on a host, two open requests on a host, and two held
 * hosts in each configuration. And the second time: whoever has a host has had it before, and
 * beside each host there was one that is gone. Built once for a file and restored before each test.
 */
export class World {
  readonly app = new TestApp();
  readonly #accounts = new Map<AccountName, Account>();
  readonly #hosts = new Map<HostName, string>();
  readonly #configs = new Map<ConfigName, string>();
  readonly #renewals = new Map<string, string>();
  #former: FormerRows = { hosts: [], assignments: [], requests: [] };
  #start: Snapshot | undefined;

  account(name: AccountName): Account {
    return this.#accounts.get(name) ?? missing(name);
  }

  host(name: HostName): string {
    return this.#hosts.get(name) ?? missing(name);
  }

  config(name: ConfigName): string {
    return this.#configs.get(name) ?? missing(name);
  }

  renewal(name: RenewalName): string {
    return this.#renewals.get(name) ?? missing(name);
  }

  async build(): Promise<void> {
    await this.#addAccounts();
    await this.#addHosts();
    await this.#addRenewals();
    await this.#addFailures();
    await this.#addNotices();
    this.#former = await insertFormerRows(this.app.database);
    this.#start = await takeSnapshot(this.app.database);
  }

  async restore(): Promise<void> {
    if (this.#start !== undefined) await restoreSnapshot(this.app.database, this.#start);
  }

  /** What the act changes, by the names of the rows. */
  async effectsOf(act: (world: World) => Promise<unknown>): Promise<Effects> {
    const before = await takeSnapshot(this.app.database, WITHOUT_AUDIT);
    await act(this);
    const after = await takeSnapshot(this.app.database, WITHOUT_AUDIT);

    return {
      rows: this.#changedRows(before, after),
      events: await this.#eventsAfter(before.newestEvent),
    };
  }

  /**
   * All rows once the act is done, with names in place of ids: equal for two acts that do the same.
   */
  async rowsAfter(act: (world: World) => Promise<unknown>): Promise<string[]> {
    await this.restore();
    await act(this);
    const { tables } = await takeSnapshot(this.app.database, WITHOUT_AUDIT);

    const rows = Object.entries(tables).flatMap(([table, ofTable]) =>
      ofTable.map(({ seq: _, last_used_at: __, ...row }) => `${table} ${JSON.stringify(row)}`),
    );
    return rows.map((row) => this.#nameIdsIn(row)).toSorted();
  }

  async #addAccounts(): Promise<void> {
    const add = async (name: AccountName, role: Role, admin?: AccountName) => {
      const adminId = admin === undefined ? undefined : this.account(admin).id;
      this.#accounts.set(name, await this.app.account(role, { username: name, adminId }));
      await this.app.signIn(name);
    };

    await add("boss", "super_admin");
    await add("admin", "admin");
    await add("otherAdmin", "admin");
    await add("client", "client", "admin");
    await add("sibling", "client", "admin");
    await add("stranger", "client", "otherAdmin");
    await add("foreigner", "client", "otherAdmin");
  }

  async #addHosts(): Promise<void> {
    this.#configs.set("config", await this.app.config({ name: "config" }));
    this.#configs.set("otherConfig", await this.app.config({ name: "otherConfig" }));
    const places = [
      { name: "first", config: "config", project_id: "org-1" },
      { name: "second", config: "config", project_id: "org-2" },
      { name: "third", config: "otherConfig", project_id: "org-1" },
      { name: "fourth", config: "otherConfig", project_id: "org-2" },
    ] as const;

    for (const { name, config, project_id } of places) {
      const columns = { name, config_id: this.config(config), project_id };
      const id = await insertHost(this.app, columns);
      await this.app.database.query(
        `update hosts set missing_since = $2, held_reason = 'empty', tags = '["首批"]'
         where id = $1`,
        [id, now() - 4_211],
      );
      this.#hosts.set(name, id);
      for (const holder of HOLDERS[name]) await assign(this.app, id, this.account(holder).id);
    }
  }

  async #addRenewals(): Promise<void> {
    for (const { host, client, status } of OPEN_RENEWALS) {
      const id = await requestRenewal(this.account(client), this.host(host));
      this.#renewals.set(`${host}/${client}`, id);
      if (status === "approved") await decide(this.app, id, status);
    }
  }

  /** Of everybody, of each kind. */
  async #addFailures(): Promise<void> {
    const window = { window_started_at: now(), failures: 3 };
    const keys = [...this.#accounts].flatMap(([name, { id }]) => {
      const username = name.toLowerCase();
      return [`account:${username}`, `pair:${username}@192.0.2.7`, `change:${id}`];
    });
    await this.app.database.query("delete from login_failures");
    await insertRows(
      this.app.database,
      "login_failures",
      keys.map((account_key) => ({ account_key, ...window })),
    );
  }

  /** One of everybody, in place of those that the calls have made. */
  async #addNotices(): Promise<void> {
    await this.app.database.query("delete from notices");
    for (const account of this.#accounts.values()) {
      await insertNotice(this.app, account, { type: "security.new_address" });
    }
  }

  /**
   * Each as `table name: new`, `changed` or `deleted`; an entry of the history by its kind, its
   * host, the client whom it concerns and who acted.
   */
  #changedRows(before: Snapshot, after: Snapshot): string[] {
    const old = this.#rowsByLabel(before);
    const current = this.#rowsByLabel(after);
    const labels = new Set([...old.keys(), ...current.keys()]);

    return [...labels].toSorted().flatMap((label) => {
      const was = old.get(label);
      const is = current.get(label);
      if (was === undefined) return [`${label}: new`];
      if (is === undefined) return [`${label}: deleted`];
      return was === is ? [] : [`${label}: changed`];
    });
  }

  #rowsByLabel({ tables }: Snapshot): ReadonlyMap<string, string> {
    const rows = new Map<string, string>();
    for (const [table, ofTable] of Object.entries(tables)) {
      for (const { last_used_at: _, ...row } of ofTable) {
        const label = this.#labelOf(table, row);
        // The same pair may have an assignment that has ended and a present one.
        rows.set(label, (rows.get(label) ?? "") + JSON.stringify(row));
      }
    }
    return rows;
  }

  #labelOf(table: string, row: Readonly<Record<string, unknown>>): string {
    const own = this.#nameOf(row.id);
    const host = this.#nameOf(row.host_id);
    const user = this.#nameOf(row.user_id);
    const by = this.#nameOf(row.actor_id);

    switch (table) {
      case "users":
        return `user ${own}`;
      case "configs":
        return `config ${own}`;
      case "hosts":
        return `host ${own}`;
      case "sessions":
        return `session of ${user}`;
      case "assignments":
      case "renewals":
        return `${this.#isFormer(row.id) ? `former ${table}` : table} ${host}/${user}`;
      case "host_acts":
        return `${row.kind} ${host}/${user} by ${by}`;
      case "host_changes":
        return `${row.kind} ${host} by ${by}`;
      case "notices":
        return `notice ${row.type} of ${user}`;
      case "known_addresses":
        return `known address of ${user}`;
      case "login_failures":
        return `failures of ${this.#nameIdsIn(String(row.account_key))}`;
      default: {
        const names = Object.values(row).map((value) => this.#nameOf(value));
        return `${table} of ${names.filter((name) => name !== "new").join(", ")}`;
      }
    }
  }

  async #eventsAfter(newest: number): Promise<string[]> {
    const rows = await this.app.database.query(
      "select type, payload::text as payload from events where id > $1 order by id",
      [newest],
    );
    const named = rows.map(({ type, payload }) => {
      const ids = String(payload).match(UUID) ?? [];
      const names = ids.map((id) => this.#nameOf(id)).toSorted();
      return [type, ...names].join(" ");
    });
    return named.toSorted();
  }

  #nameIdsIn(text: string): string {
    return text.replaceAll(UUID, (id) => this.#nameOf(id));
  }

  #isFormer(id: unknown): boolean {
    return Object.values(this.#former)
      .flat()
      .some((each) => each === id);
  }

  #nameOf(id: unknown): string {
    if (id === this.app.root.id) return "root";
    if (this.#isFormer(id)) return "former";
    for (const [name, account] of this.#accounts) if (account.id === id) return name;
    for (const names of [this.#hosts, this.#configs, this.#renewals]) {
      for (const [name, each] of names) if (each === id) return name;
    }
    return "new";
  }
}

/** A world on a server of this file. */
export function useWorld(options: StartOptions = {}): World {
  const world = new World();
  let server: Awaited<ReturnType<typeof startTestServer>> | undefined;

  beforeAll(async () => {
    server = await startTestServer(options);
    await world.app.open(server);
    await world.build();
  });
  beforeEach(() => world.restore());
  afterAll(async () => {
    world.app.close();
    await server?.[Symbol.asyncDispose]();
  });

  return world;
}

function missing(name: string): never {
  throw new Error(`the world has no ${name}`);
}
