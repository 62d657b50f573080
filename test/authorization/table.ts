import { DAY_SECONDS } from "../../src/shared/time.ts";
import { buildConfig, buildUser } from "../harness/data.ts";
import { PASSWORD } from "../harness/root-user.ts";
import { type Live, PASSWORD_CHANGE } from "./callers.ts";
import type { Fixture, Person } from "./fixture.ts";
import { type RowName, VISIBLE_ROWS } from "./rows.ts";

type Refusal = "FORBIDDEN" | "NOT_FOUND" | "INVALID_INPUT" | "CONFLICT";
/** Success or an error code; for lists the visible rows, for summaries the count. */
export type Expected =
  | "ok"
  | Refusal
  | { readonly lists: readonly RowName[] }
  | { readonly counts: number };
type InputOf = (fixture: Fixture, actor?: string) => Readonly<Record<string, unknown>>;

/** One call on one row, with its expected result for every live caller. */
export interface TableRow {
  readonly call: string;
  /** The row, if a call has several. */
  readonly on: string;
  readonly expected: Readonly<Record<Live, Expected>>;
  readonly input: InputOf;
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
export const BEFORE_OWN_PASSWORD = [
  "auth.login",
  "auth.me",
  "auth.changePassword",
  "auth.refresh",
  "auth.logout",
];

const OK = "ok";
const FORBIDDEN = "FORBIDDEN";
const NOT_FOUND = "NOT_FOUND";
const INVALID_INPUT = "INVALID_INPUT";
const CONFLICT = "CONFLICT";

/** The columns of the super admin and the admins, or those of the clients. */
const FORBIDDEN_TO_ALL = [FORBIDDEN, FORBIDDEN, FORBIDDEN] as const;
const INVALID_FOR_ALL = [INVALID_INPUT, INVALID_INPUT, INVALID_INPUT] as const;
const NOT_FOUND_FOR_ALL = [NOT_FOUND, NOT_FOUND, NOT_FOUND] as const;
const ALL_ROLES = [OK, OK, OK, OK, OK, OK] as const;
const SUPER = byRole(OK);
const UNASSIGNED = [lists("spareHost"), INVALID_INPUT, INVALID_INPUT, ...INVALID_FOR_ALL] as const;
/** A row of the client, a row of the other admin's client, and a session of the client. */
const OF_CLIENT = [OK, OK, NOT_FOUND, OK, NOT_FOUND, NOT_FOUND] as const;
const OF_STRANGER = [OK, NOT_FOUND, OK, NOT_FOUND, NOT_FOUND, OK] as const;
const SESSION_OF_CLIENT = [...NOT_FOUND_FOR_ALL, OK, NOT_FOUND, NOT_FOUND] as const;
const CLIENTS = visible(["owner", "sibling", "stranger"], FORBIDDEN_TO_ALL);
const GONE = [lists("goneHost"), INVALID_INPUT, INVALID_INPUT, ...INVALID_FOR_ALL] as const;
const PRESENT_HOSTS = [
  "host",
  "quietHost",
  "sharedHost",
  "siblingHost",
  "foreignHost",
  "spareHost",
] as const;
const [, ...HOSTS_OF_OTHERS] = visible([...PRESENT_HOSTS, "goneHost"]);
/** A host that is gone stays in the lists of those who have it assigned. */
const HOSTS = [lists(...PRESENT_HOSTS), ...HOSTS_OF_OTHERS] as const;
/** By the provider's end, which is hidden from clients. */
const ENDING = visible(["host", "foreignHost"], INVALID_FOR_ALL);
const HOSTS_OF_CLIENT = lists("host", "quietHost", "sharedHost", "goneHost");

/** A change of a user or a configuration. */
const CHANGES = { name: "新名字", isActive: false };
const nothing = () => ({});
const signingIn = ({ people }: Fixture) => ({
  username: people.owner.username,
  password: PASSWORD,
});
const otherSession = ({ people }: Fixture) => ({ id: people.owner.sessions[1] });
const ofClient = ({ id }: Fixture) => ({ userId: id("owner") });

/** Columns: super admin, the client's admin, another admin, the client, a client of the same admin, a client of another admin. */
export const TABLE: readonly TableRow[] = [
  row("auth.login", "", ALL_ROLES, signingIn, { isPublic: true }),
  row("auth.me", "", ALL_ROLES, nothing, { returns: ({ id, username }) => ({ id, username }) }),
  row("auth.changePassword", "", ALL_ROLES, () => PASSWORD_CHANGE, { touches: "own" }),
  row("auth.refresh", "", ALL_ROLES, nothing, {
    returns: ({ id }) => ({ user: { id } }),
    touches: "own",
  }),
  row("auth.logout", "", ALL_ROLES, nothing, { touches: "own" }),
  row("auth.sessions", "", ALL_ROLES, nothing, {
    returns: ({ sessions }) => sessions.map((id) => ({ id })),
  }),
  row("auth.endSession", "another session of the client", SESSION_OF_CLIENT, otherSession, {
    touches: "own",
  }),
  row("auth.endOtherSessions", "", ALL_ROLES, nothing, {
    returns: () => ({ ended: 1 }),
    touches: "own",
  }),

  row("users.list", "", CLIENTS, () => ({ role: "client" })),
  row("users.list", "one to a page", CLIENTS, () => ({ role: "client", limit: 1 })),
  row(
    "users.list",
    "searched for the client's name",
    visible(["owner"], FORBIDDEN_TO_ALL),
    searched("owner"),
  ),
  row(
    "users.list",
    "searched for the other admin",
    byRole(lists("otherAdmin"), lists()),
    searched("otherAdmin"),
  ),
  row("users.get", "the client", [OK, OK, NOT_FOUND, ...FORBIDDEN_TO_ALL], id("owner")),
  row("users.get", "the other admin", [OK, NOT_FOUND, OK, ...FORBIDDEN_TO_ALL], id("otherAdmin")),
  row("users.assignments", "the client", OF_CLIENT, id("owner")),
  row("users.create", "", SUPER, ({ id }) =>
    buildUser({
      username: "late_q7z",
      adminId: id("admin"),
    }),
  ),
  row("users.update", "the client", SUPER, ({ id }) => ({
    ...CHANGES,
    id: id("owner"),
    adminId: id("otherAdmin"),
  })),
  row("users.delete", "the client", SUPER, id("owner")),
  row("users.resetPassword", "the client", SUPER, id("owner")),

  row("hosts.list", "", HOSTS),
  row("hosts.list", "one to a page", HOSTS, () => ({ limit: 1 })),
  row("hosts.list", "searched for a host of the client", visible(["host"]), searched("host")),
  row(
    "hosts.list",
    "searched for the shared host",
    visible(["sharedHost"]),
    searched("sharedHost"),
  ),
  row("hosts.list", "of those that nobody has", UNASSIGNED, () => ({ assigned: false })),
  row("hosts.list", "of those that are gone", GONE, () => ({ gone: true })),
  row("hosts.list", "of those that end soon at the provider", ENDING, () => ({ expiring: 7 })),
  row("hosts.list", "of those that end at the provider before an assignment", ENDING, () => ({
    providerEndsFirst: true,
  })),
  // The other admin sees the shared host, and none of the client's.
  row(
    "hosts.list",
    "of the client",
    [HOSTS_OF_CLIENT, HOSTS_OF_CLIENT, lists(), ...INVALID_FOR_ALL],
    ofClient,
  ),
  row("hosts.get", "a host of the client", OF_CLIENT, id("host")),
  row("hosts.get", "a shared host", [OK, OK, OK, OK, NOT_FOUND, OK], id("sharedHost")),
  row("hosts.get", "a host of another client", OF_STRANGER, id("foreignHost")),
  row(
    "hosts.get",
    "a host that nobody has",
    [OK, NOT_FOUND, NOT_FOUND, ...NOT_FOUND_FOR_ALL],
    id("spareHost"),
  ),
  row("hosts.summary", "", [counts(6), counts(5), counts(2), counts(4), counts(1), counts(2)]),
  row("hosts.assign", "a host that nobody has", SUPER, assigning("sibling")),
  row("hosts.unassign", "a host of the client", SUPER, ({ id }) => ({
    hostId: id("host"),
    userId: id("owner"),
  })),
  row("hosts.batch", "assigning", SUPER, assigning("stranger", { isBatch: true })),
  row(
    "hosts.batch",
    "unassigning",
    SUPER,
    listed("hostIds", ["host", "foreignHost"], { operation: "unassign" }),
  ),
  row("hosts.batch", "transferring", SUPER, ({ id }) => ({
    operation: "transfer",
    hostIds: [id("host")],
    fromUserId: id("owner"),
    userId: id("sibling"),
  })),
  row("hosts.batch", "syncing", SUPER, listed("hostIds", ["host"], { operation: "sync" })),
  row("hosts.sync", "a configuration", SUPER, ({ id }) => ({ configId: id("config"), wait: 25 })),
  row("hosts.syncOne", "a host of the client", SUPER, id("host")),
  row("hosts.syncRuns", "", byRole(lists("run", "liveRun"))),
  row("hosts.syncRuns", "of one configuration", byRole(lists("run")), ({ id }) => ({
    configId: id("config"),
  })),
  row("hosts.syncRun", "a sync run", SUPER, id("run")),
  row("hosts.cancelSync", "a sync run", SUPER, id("liveRun")),

  row("hosts.heldRemovals", "", SUPER),
  row("hosts.confirmRemovals", "a held host of the client", SUPER, listed("hostIds", ["host"]), {
    prepare: holdHost,
  }),
  row("hosts.dismissRemovals", "a held host of the client", SUPER, listed("hostIds", ["host"]), {
    prepare: holdHost,
  }),

  row("configs.list", "", byRole(lists("config", "otherConfig"))),
  row("configs.create", "", SUPER, ({ app }) =>
    buildConfig({
      apiUrl: app.simulator.url,
      isDefault: true,
    }),
  ),
  row("configs.update", "a configuration", SUPER, id("config", CHANGES)),
  row("configs.delete", "a configuration", SUPER, id("otherConfig")),
  row("configs.test", "a configuration", SUPER, id("config")),

  row("renewals.create", "a host of the client", byClient(OK), renewing("quietHost")),
  row(
    "renewals.create",
    "a shared host",
    [...FORBIDDEN_TO_ALL, OK, NOT_FOUND, OK],
    renewing("sharedHost"),
  ),
  row("renewals.create", "a host with a pending request", byClient(CONFLICT), renewing("host")),
  row(
    "renewals.createBatch",
    "an own host",
    [...FORBIDDEN_TO_ALL, OK, OK, OK],
    ({ id }, actor) => ({
      hostIds: [id(actor === "sibling" ? "siblingHost" : "sharedHost")],
      requestedDuration: 30,
    }),
  ),
  row("renewals.list", "", visible(["request", "decidedRequest", "foreignRequest"])),
  row(
    "renewals.list",
    "searched for the client's name",
    visible(["request", "decidedRequest"]),
    searched("owner"),
  ),
  row(
    "renewals.list",
    "of the client",
    visible(["request", "decidedRequest"], INVALID_FOR_ALL),
    ofClient,
  ),
  row("renewals.get", "a request of the client", OF_CLIENT, id("request")),
  row("renewals.get", "a request of another client", OF_STRANGER, id("foreignRequest")),
  row("renewals.process", "a request of the client", SUPER, id("request", { status: "completed" })),
  row(
    "renewals.processBatch",
    "a request of the client",
    SUPER,
    listed("ids", ["request"], { status: "approved" }),
  ),
  row("renewals.cancel", "a request of the client", byClient(OK), id("request")),

  row("settings.get", "", ALL_ROLES),
  row("settings.update", "", SUPER, () => ({ show_network_info_to_client: true })),

  row("events.stream", "", ALL_ROLES),
];

type Columns = readonly [Expected, Expected, Expected, Expected, Expected, Expected];
type More = Omit<TableRow, "call" | "on" | "expected" | "input">;

function row(
  call: string,
  on: string,
  [superAdmin, admin, otherAdmin, owner, sibling, stranger]: Columns,
  input: InputOf = nothing,
  more: More = {},
): TableRow {
  return {
    call,
    on,
    expected: { superAdmin, admin, otherAdmin, owner, sibling, stranger },
    input,
    ...more,
  };
}

/** What the super admin gets, and the admins if they may call it. */
function byRole(own: Expected, admins: Expected = FORBIDDEN): Columns {
  return [own, admins, admins, ...FORBIDDEN_TO_ALL];
}

function byClient(own: Expected): Columns {
  return [...FORBIDDEN_TO_ALL, own, NOT_FOUND, NOT_FOUND];
}

function lists(...rows: RowName[]): Expected {
  return { lists: rows };
}

/** What each caller sees of these rows, unless the clients get a refusal. */
function visible(
  rows: readonly RowName[],
  forClients?: readonly [Refusal, Refusal, Refusal],
): Columns {
  const seen = (actor: keyof typeof VISIBLE_ROWS) =>
    lists(...rows.filter((row) => VISIBLE_ROWS[actor].includes(row)));
  const clients = forClients ?? ([seen("owner"), seen("sibling"), seen("stranger")] as const);
  return [lists(...rows), seen("admin"), seen("otherAdmin"), ...clients];
}

function counts(total: number): Expected {
  return { counts: total };
}

function id(name: RowName, more: object = {}): InputOf {
  return (fixture) => ({ id: fixture.id(name), ...more });
}

async function holdHost({ app, id }: Fixture): Promise<void> {
  await app.database.query(
    "update hosts set missing_since = 1, held_reason = 'empty' where id = $1",
    [id("host")],
  );
}

function listed(field: "ids" | "hostIds", names: readonly RowName[], more: object = {}): InputOf {
  return ({ id }) => ({ [field]: names.map(id), ...more });
}

/** Assigns the host that nobody has to this client. */
function assigning(client: RowName, { isBatch = false } = {}): InputOf {
  return ({ id, now }) => {
    const hosts = isBatch
      ? { operation: "assign", hostIds: [id("spareHost")] }
      : { hostId: id("spareHost") };
    return { ...hosts, userId: id(client), assignedExpireTime: now() + 30 * DAY_SECONDS };
  };
}

/** The name of a person or a host. */
function searched(name: RowName): InputOf {
  return ({ row }) => ({ search: row(name).canaries[1] });
}

function renewing(name: RowName): InputOf {
  return (fixture) => ({ hostId: fixture.id(name), requestedDuration: 30 });
}
