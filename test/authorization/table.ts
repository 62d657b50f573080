import { DAY_SECONDS } from "../../src/shared/time.ts";
import { NEW_USER } from "../harness/data.ts";
import { PASSWORD } from "../harness/root-user.ts";
import { type Live, PASSWORD_CHANGE } from "./callers.ts";
import type { Fixture, Person } from "./fixture.ts";
import { type RowName, VISIBLE_ROWS } from "./rows.ts";

type Refusal = "FORBIDDEN" | "NOT_FOUND" | "INVALID_INPUT" | "CONFLICT";
/** Success or an error code; for lists the visible rows, for summaries the count. */
export type Expected = "ok" | Refusal | { readonly lists: readonly RowName[] } | { readonly counts: number };
type Input = Readonly<Record<string, unknown>>;

/** One call on one row, with its expected result for every live caller. */
export interface TableRow {
  readonly call: string;
  /** The row, if a call has several. */
  readonly on: string;
  readonly expected: Readonly<Record<Live, Expected>>;
  readonly input?: (fixture: Fixture, actor?: string) => Input;
  /** Expected fields of a successful answer. */
  readonly returns?: (caller: Person) => object;
  /** Setup before a successful call. */
  readonly prepare?: (fixture: Fixture) => Promise<void>;
  /** A successful call changes only the caller's rows. */
  readonly touches?: "own";
  /** Needs no session. */
  readonly isPublic?: boolean;
}

/** Calls allowed before an initial password is changed; all others are FORBIDDEN. */
export const BEFORE_OWN_PASSWORD = ["auth.login", "auth.me", "auth.changePassword", "auth.refresh", "auth.logout"];

const OK = "ok";
const FORBIDDEN = "FORBIDDEN";
const NOT_FOUND = "NOT_FOUND";
const INVALID_INPUT = "INVALID_INPUT";
const CONFLICT = "CONFLICT";

/** The columns of the super admin and the admins, or those of the clients. */
const FORBIDDEN_TO_ALL = [FORBIDDEN, FORBIDDEN, FORBIDDEN] as const;
const INVALID_FOR_ALL = [INVALID_INPUT, INVALID_INPUT, INVALID_INPUT] as const;
const ALL_ROLES = [OK, OK, OK, OK, OK, OK] as const;
const OPERATOR = [OK, FORBIDDEN, FORBIDDEN, ...FORBIDDEN_TO_ALL] as const;
/** A row of the client, a row of the other admin's client, and what only the client may do. */
const OF_CLIENT = [OK, OK, NOT_FOUND, OK, NOT_FOUND, NOT_FOUND] as const;
const OF_STRANGER = [OK, NOT_FOUND, OK, NOT_FOUND, NOT_FOUND, OK] as const;
const BY_CLIENT = [...FORBIDDEN_TO_ALL, OK, NOT_FOUND, NOT_FOUND] as const;
const CLIENTS = visible(["owner", "sibling", "stranger"], FORBIDDEN_TO_ALL);
const HOSTS = visible(["host", "quietHost", "sharedHost", "siblingHost", "foreignHost", "spareHost"]);
const HOSTS_OF_CLIENT = lists("host", "quietHost", "sharedHost");

/** Columns: super admin, the client's admin, another admin, the client, a client of the same admin, a client of another admin. */
export const TABLE: readonly TableRow[] = [
  row("auth.login", "", ALL_ROLES, {
    input: ({ people }) => ({ username: people.owner.username, password: PASSWORD }),
    isPublic: true,
  }),
  row("auth.me", "", ALL_ROLES, { returns: ({ id, username }) => ({ id, username }) }),
  row("auth.changePassword", "", ALL_ROLES, { input: () => PASSWORD_CHANGE, touches: "own" }),
  row("auth.refresh", "", ALL_ROLES, { returns: ({ id }) => ({ user: { id } }), touches: "own" }),
  row("auth.logout", "", ALL_ROLES, { touches: "own" }),
  row("auth.sessions", "", ALL_ROLES, { returns: ({ sessions }) => sessions.map((id) => ({ id })) }),
  row("auth.endSession", "another session of the client", [NOT_FOUND, NOT_FOUND, NOT_FOUND, OK, NOT_FOUND, NOT_FOUND], {
    input: ({ people }) => ({ id: people.owner.sessions[1] }),
    touches: "own",
  }),
  row("auth.endOtherSessions", "", ALL_ROLES, { returns: () => ({ ended: 1 }), touches: "own" }),

  row("users.list", "", CLIENTS, { input: () => ({ role: "client" }) }),
  row("users.list", "one to a page", CLIENTS, { input: () => ({ role: "client", limit: 1 }) }),
  row("users.list", "searched for the client's name", visible(["owner"], FORBIDDEN_TO_ALL), {
    input: searched("owner"),
  }),
  row(
    "users.list",
    "searched for the other admin's name",
    [lists("otherAdmin"), lists(), lists(), ...FORBIDDEN_TO_ALL],
    { input: searched("otherAdmin") },
  ),
  row("users.get", "the client", [OK, OK, NOT_FOUND, ...FORBIDDEN_TO_ALL], { input: id("owner") }),
  row("users.get", "the other admin", [OK, NOT_FOUND, OK, ...FORBIDDEN_TO_ALL], { input: id("otherAdmin") }),
  row("users.assignments", "the client", OF_CLIENT, { input: id("owner") }),
  row("users.create", "", OPERATOR, {
    input: ({ id }) => ({ ...NEW_USER, username: "late_q7z", adminId: id("admin") }),
  }),
  row("users.update", "the client", OPERATOR, {
    input: ({ id }) => ({ id: id("owner"), name: "新名字", adminId: id("otherAdmin"), isActive: false }),
  }),
  row("users.delete", "the client", OPERATOR, { input: id("owner") }),
  row("users.resetPassword", "the client", OPERATOR, { input: id("owner") }),

  row("hosts.list", "", HOSTS),
  row("hosts.list", "one to a page", HOSTS, { input: () => ({ limit: 1 }) }),
  row("hosts.list", "searched for a host of the client", visible(["host"]), { input: searched("host") }),
  row("hosts.list", "searched for the shared host", visible(["sharedHost"]), { input: searched("sharedHost") }),
  row(
    "hosts.list",
    "of those that nobody has",
    [lists("spareHost"), INVALID_INPUT, INVALID_INPUT, ...INVALID_FOR_ALL],
    { input: () => ({ assigned: false }) },
  ),
  // The other admin sees the shared host, and none of the client's.
  row("hosts.list", "of the client", [HOSTS_OF_CLIENT, HOSTS_OF_CLIENT, lists(), ...INVALID_FOR_ALL], {
    input: ({ id }) => ({ userId: id("owner") }),
  }),
  row("hosts.get", "a host of the client", OF_CLIENT, { input: id("host") }),
  row("hosts.get", "a shared host", [OK, OK, OK, OK, NOT_FOUND, OK], { input: id("sharedHost") }),
  row("hosts.get", "a host of another client", OF_STRANGER, { input: id("foreignHost") }),
  row("hosts.get", "a host that nobody has", [OK, NOT_FOUND, NOT_FOUND, NOT_FOUND, NOT_FOUND, NOT_FOUND], {
    input: id("spareHost"),
  }),
  row("hosts.summary", "", [counts(6), counts(4), counts(2), counts(3), counts(1), counts(2)]),
  row("hosts.assign", "a host that nobody has", OPERATOR, {
    input: (fixture) => ({ hostId: fixture.id("spareHost"), ...assigning(fixture, "sibling") }),
  }),
  row("hosts.unassign", "a host of the client", OPERATOR, {
    input: ({ id }) => ({ hostId: id("host"), userId: id("owner") }),
  }),
  row("hosts.batch", "assigning", OPERATOR, {
    input: (fixture) => ({
      operation: "assign",
      hostIds: [fixture.id("spareHost")],
      ...assigning(fixture, "stranger"),
    }),
  }),
  row("hosts.batch", "unassigning", OPERATOR, {
    input: ({ id }) => ({ operation: "unassign", hostIds: [id("host"), id("foreignHost")] }),
  }),
  row("hosts.batch", "syncing", OPERATOR, { input: ({ id }) => ({ operation: "sync", hostIds: [id("host")] }) }),
  row("hosts.sync", "a configuration", OPERATOR, { input: ({ id }) => ({ configId: id("config"), wait: 25 }) }),
  row("hosts.syncOne", "a host of the client", OPERATOR, { input: id("host") }),
  row("hosts.syncRuns", "", [lists("run", "liveRun"), FORBIDDEN, FORBIDDEN, ...FORBIDDEN_TO_ALL]),
  row("hosts.syncRuns", "of one configuration", [lists("run"), FORBIDDEN, FORBIDDEN, ...FORBIDDEN_TO_ALL], {
    input: ({ id }) => ({ configId: id("config") }),
  }),
  row("hosts.syncRun", "a sync run", OPERATOR, { input: id("run") }),
  row("hosts.cancelSync", "a sync run", OPERATOR, { input: id("liveRun") }),

  row("hosts.heldRemovals", "", OPERATOR),
  row("hosts.confirmRemovals", "a held host of the client", OPERATOR, {
    input: ({ id }) => ({ hostIds: [id("host")] }),
    prepare: holdHost,
  }),
  row("hosts.dismissRemovals", "a held host of the client", OPERATOR, {
    input: ({ id }) => ({ hostIds: [id("host")] }),
    prepare: holdHost,
  }),

  row("configs.list", "", [lists("config", "otherConfig"), FORBIDDEN, FORBIDDEN, ...FORBIDDEN_TO_ALL]),
  row("configs.create", "", OPERATOR, {
    input: ({ app: { simulator } }) => {
      const { publicKey, privateKey, url: apiUrl } = simulator;
      return { name: "新配置", publicKey, privateKey, apiUrl, defaultRegion: "cn-bj2", isDefault: true };
    },
  }),
  row("configs.update", "a configuration", OPERATOR, {
    input: ({ id }) => ({ id: id("config"), name: "新名字", isActive: false }),
  }),
  row("configs.delete", "a configuration", OPERATOR, { input: id("otherConfig") }),
  row("configs.test", "a configuration", OPERATOR, { input: id("config") }),

  row("renewals.create", "a host of the client", BY_CLIENT, { input: renewing("quietHost") }),
  row("renewals.create", "a shared host", [...FORBIDDEN_TO_ALL, OK, NOT_FOUND, OK], { input: renewing("sharedHost") }),
  row("renewals.create", "a host with a pending request", [...FORBIDDEN_TO_ALL, CONFLICT, NOT_FOUND, NOT_FOUND], {
    input: renewing("host"),
  }),
  row("renewals.createBatch", "an own host", [...FORBIDDEN_TO_ALL, OK, OK, OK], {
    input: ({ id }, actor) => ({
      hostIds: [id(actor === "sibling" ? "siblingHost" : "sharedHost")],
      requestedDuration: 30,
    }),
  }),
  row("renewals.list", "", visible(["request", "foreignRequest"])),
  row("renewals.list", "searched for the client's name", visible(["request"]), { input: searched("owner") }),
  row("renewals.list", "of the client", visible(["request"], INVALID_FOR_ALL), {
    input: ({ id }) => ({ userId: id("owner") }),
  }),
  row("renewals.get", "a request of the client", OF_CLIENT, { input: id("request") }),
  row("renewals.get", "a request of another client", OF_STRANGER, { input: id("foreignRequest") }),
  row("renewals.process", "a request of the client", OPERATOR, {
    input: ({ id }) => ({ id: id("request"), status: "completed" }),
  }),
  row("renewals.processBatch", "a request of the client", OPERATOR, {
    input: ({ id }) => ({ ids: [id("request")], status: "approved" }),
  }),
  row("renewals.cancel", "a request of the client", BY_CLIENT, { input: id("request") }),

  row("settings.get", "", ALL_ROLES),
  row("settings.update", "", OPERATOR, { input: () => ({ show_network_info_to_client: true }) }),

  row("events.stream", "", ALL_ROLES),
];

type Columns = readonly [Expected, Expected, Expected, Expected, Expected, Expected];
type More = Omit<TableRow, "call" | "on" | "expected">;

function row(
  call: string,
  on: string,
  [operator, admin, otherAdmin, owner, sibling, stranger]: Columns,
  more: More = {},
): TableRow {
  return { call, on, expected: { operator, admin, otherAdmin, owner, sibling, stranger }, ...more };
}

function lists(...rows: RowName[]): Expected {
  return { lists: rows };
}

/** What each caller sees of these rows, unless the clients get a refusal. */
function visible(rows: readonly RowName[], forClients?: readonly [Refusal, Refusal, Refusal]): Columns {
  const seen = (actor: keyof typeof VISIBLE_ROWS) => lists(...rows.filter((row) => VISIBLE_ROWS[actor].includes(row)));
  const clients = forClients ?? ([seen("owner"), seen("sibling"), seen("stranger")] as const);
  return [lists(...rows), seen("admin"), seen("otherAdmin"), ...clients];
}

function counts(total: number): Expected {
  return { counts: total };
}

function id(name: RowName): (fixture: Fixture) => Input {
  return (fixture) => ({ id: fixture.id(name) });
}

async function holdHost({ app, id }: Fixture): Promise<void> {
  await app.database.query("update hosts set missing_since = 1, held_reason = 'empty' where id = $1", [id("host")]);
}

function assigning({ id, now }: Fixture, client: RowName): Input {
  return { userId: id(client), assignedExpireTime: now() + 30 * DAY_SECONDS };
}

/** The name of a person or a host. */
function searched(name: RowName): (fixture: Fixture) => Input {
  return ({ row }) => ({ search: row(name).canaries[1] });
}

function renewing(name: RowName): (fixture: Fixture) => Input {
  return (fixture) => ({ hostId: fixture.id(name), requestedDuration: 30 });
}
