import { DAY_SECONDS } from "../../src/shared/time.ts";
import { buildChannel, buildConfig, buildUser } from "../harness/data.ts";
import { buildReminderSettings } from "../harness/reminders.ts";
import { PASSWORD } from "../harness/root-user.ts";
import { codeAt, insertChallenge, insertSecondFactor, SECRET } from "../harness/second-factor.ts";
import { type Live, PASSWORD_CHANGE } from "./callers.ts";
import type { Fixture, Person } from "./fixture.ts";
import { type RowName, VISIBLE_ROWS } from "./rows.ts";

export type Refusal = "FORBIDDEN" | "NOT_FOUND" | "INVALID_INPUT" | "CONFLICT";
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
  "auth.secondFactor",
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

const FORBIDDEN_TO_ADMINS = { admin: FORBIDDEN, otherAdmin: FORBIDDEN } as const;
const FORBIDDEN_TO_CLIENTS = toClients(FORBIDDEN);
const NOT_FOUND_TO_CLIENTS = toClients(NOT_FOUND);
const INVALID_FROM_CLIENTS = toClients(INVALID_INPUT);

const EVERYBODY = {
  superAdmin: OK,
  admin: OK,
  otherAdmin: OK,
  client: OK,
  sibling: OK,
  otherClient: OK,
} as const;
const ONLY_SUPER_ADMIN = onlySuperAdmin(OK);

/** A row of the client: the client and its admin reach it. */
const OF_CLIENT = {
  superAdmin: OK,
  admin: OK,
  otherAdmin: NOT_FOUND,
  client: OK,
  sibling: NOT_FOUND,
  otherClient: NOT_FOUND,
} as const;
/** A row of the other admin's client. */
const OF_OTHER_CLIENT = {
  superAdmin: OK,
  admin: NOT_FOUND,
  otherAdmin: OK,
  client: NOT_FOUND,
  sibling: NOT_FOUND,
  otherClient: OK,
} as const;
/** Nobody but the client reaches its sessions, its tokens and its notices by these calls. */
const OWN_OF_CLIENT = {
  superAdmin: NOT_FOUND,
  admin: NOT_FOUND,
  otherAdmin: NOT_FOUND,
  client: OK,
  sibling: NOT_FOUND,
  otherClient: NOT_FOUND,
} as const;

/** A filter that only super admins have. */
const UNASSIGNED = filteredBySuperAdmin("spareHost");
const GONE = filteredBySuperAdmin("goneHost");

const PRESENT_HOSTS = [
  "host",
  "quietHost",
  "sharedHost",
  "siblingHost",
  "foreignHost",
  "spareHost",
] as const;
/** A host that is gone stays in the lists of those who have it assigned. */
const HOSTS = {
  ...whoSees([...PRESENT_HOSTS, "goneHost"]),
  superAdmin: lists(...PRESENT_HOSTS),
};
const HOSTS_OF_CLIENT = lists("host", "quietHost", "sharedHost", "goneHost");
/** By the provider's end, which is hidden from clients. */
const ENDING = { ...whoSees(["host", "foreignHost"]), ...INVALID_FROM_CLIENTS };
const TAGGED = { ...HOSTS, ...INVALID_FROM_CLIENTS };
const CLIENTS = { ...whoSees(["client", "sibling", "otherClient"]), ...FORBIDDEN_TO_CLIENTS };

/** Nobody sees those of others. */
const NOTICES = {
  superAdmin: lists("superAdminNotice"),
  admin: lists("adminNotice"),
  otherAdmin: lists("otherAdminNotice"),
  client: lists("notice"),
  sibling: lists("siblingNotice"),
  otherClient: lists("foreignNotice"),
};

/** A change of a user or a configuration. */
const CHANGES = { name: "新名字", isActive: false };
const nothing = () => ({});
const signingIn = ({ people }: Fixture) => ({
  username: people.client.username,
  password: PASSWORD,
});
const CHALLENGE = "challenge_of_the_client";
const withCode = ({ now }: Fixture) => ({ code: codeAt(SECRET, now()) });
const withPasswordAndCode = (fixture: Fixture) => ({ ...withCode(fixture), password: PASSWORD });
/** Everybody has a second factor, on or only set up. */
const withFactors = (confirmedAt: number | null) => async (fixture: Fixture) => {
  const { database } = fixture.app;
  await withoutFactors(fixture);
  for (const { id } of Object.values(fixture.people)) {
    await insertSecondFactor(database, id, { confirmedAt });
  }
};
const withoutFactors = async ({ app }: Fixture) => {
  await app.database.query("delete from second_factors");
};
const withChallenge = async (fixture: Fixture) => {
  const { id } = fixture.people.client;
  await withFactors(1)(fixture);
  await insertChallenge(fixture.app.database, { id, challenge: CHALLENGE, now: fixture.now() });
};
const otherSession = ({ people }: Fixture) => ({ id: people.client.sessions[1] });
const ofClient = ({ id }: Fixture) => ({ userId: id("client") });

/** What every live caller gets from every call. */
export const TABLE: readonly TableRow[] = [
  row({
    call: "auth.login",
    expected: EVERYBODY,
    input: signingIn,
    isPublic: true,
  }),
  row({
    call: "auth.me",
    expected: EVERYBODY,
    returns: ({ id, username }) => ({ id, username }),
  }),
  row({
    call: "auth.changePassword",
    expected: EVERYBODY,
    input: () => PASSWORD_CHANGE,
    touches: "own",
  }),
  row({
    call: "auth.updatePreferences",
    expected: EVERYBODY,
    input: () => ({ email: false }),
    touches: "own",
  }),
  row({
    call: "auth.refresh",
    expected: EVERYBODY,
    returns: ({ id }) => ({ user: { id } }),
    touches: "own",
  }),
  row({
    call: "auth.logout",
    expected: EVERYBODY,
    touches: "own",
  }),
  row({
    call: "auth.sessions",
    expected: EVERYBODY,
    returns: ({ sessions }) => sessions.map((id) => ({ id })),
  }),
  row({
    call: "auth.endSession",
    on: "another session of the client",
    expected: OWN_OF_CLIENT,
    input: otherSession,
    touches: "own",
  }),
  row({
    call: "auth.endOtherSessions",
    expected: EVERYBODY,
    returns: () => ({ ended: 1 }),
    touches: "own",
  }),
  row({
    call: "auth.secondFactor",
    expected: EVERYBODY,
    input: (fixture) => ({ ...withCode(fixture), challenge: CHALLENGE }),
    prepare: withChallenge,
    isPublic: true,
  }),
  row({
    call: "auth.setUpTotp",
    expected: EVERYBODY,
    input: () => ({ password: PASSWORD }),
    prepare: withoutFactors,
  }),
  row({
    call: "auth.confirmTotp",
    expected: EVERYBODY,
    input: withCode,
    prepare: withFactors(null),
  }),
  row({
    call: "auth.renewRecoveryCodes",
    expected: EVERYBODY,
    input: withPasswordAndCode,
    prepare: withFactors(1),
  }),
  row({
    call: "auth.disableTotp",
    expected: EVERYBODY,
    input: withPasswordAndCode,
    prepare: withFactors(1),
  }),
  row({
    call: "auth.tokens",
    expected: { ...whoSees(["token"]), superAdmin: lists() },
  }),
  row({
    call: "auth.createToken",
    expected: EVERYBODY,
    input: ({ now }) => ({ name: "脚本", scope: "full", expiresAt: now() + DAY_SECONDS }),
    touches: "own",
  }),
  row({
    call: "auth.revokeToken",
    on: "a token of the client",
    expected: OWN_OF_CLIENT,
    input: id("token"),
    touches: "own",
  }),
  row({
    call: "auth.activity",
    expected: EVERYBODY,
  }),

  row({
    call: "users.list",
    expected: CLIENTS,
    input: () => ({ role: "client" }),
  }),
  row({
    call: "users.export",
    expected: CLIENTS,
    input: () => ({ role: "client" }),
  }),
  row({
    call: "users.export",
    on: "by responsible admin",
    expected: {
      superAdmin: lists("client", "sibling"),
      admin: "INVALID_INPUT",
      otherAdmin: "INVALID_INPUT",
      ...FORBIDDEN_TO_CLIENTS,
    },
    input: ({ id }) => ({ adminId: id("admin") }),
  }),
  row({
    call: "users.list",
    on: "one to a page",
    expected: CLIENTS,
    input: () => ({ role: "client", limit: 1 }),
  }),
  row({
    call: "users.list",
    on: "searched for the client's name",
    expected: { ...whoSees(["client"]), ...FORBIDDEN_TO_CLIENTS },
    input: searched("client"),
  }),
  row({
    call: "users.list",
    on: "searched for the other admin",
    expected: {
      superAdmin: lists("otherAdmin"),
      admin: lists(),
      otherAdmin: lists(),
      ...FORBIDDEN_TO_CLIENTS,
    },
    input: searched("otherAdmin"),
  }),
  row({
    call: "users.list",
    on: "by responsible admin",
    expected: {
      superAdmin: lists("client", "sibling"),
      admin: "INVALID_INPUT",
      otherAdmin: "INVALID_INPUT",
      ...FORBIDDEN_TO_CLIENTS,
    },
    input: ({ id }) => ({ adminId: id("admin") }),
  }),
  row({
    call: "users.get",
    on: "the client",
    expected: { superAdmin: OK, admin: OK, otherAdmin: NOT_FOUND, ...FORBIDDEN_TO_CLIENTS },
    input: id("client"),
  }),
  row({
    call: "users.get",
    on: "the other admin",
    expected: { superAdmin: OK, admin: NOT_FOUND, otherAdmin: OK, ...FORBIDDEN_TO_CLIENTS },
    input: id("otherAdmin"),
  }),
  row({
    call: "users.assignments",
    on: "the client",
    expected: OF_CLIENT,
    input: id("client"),
  }),
  row({
    call: "users.create",
    expected: ONLY_SUPER_ADMIN,
    input: ({ id }) =>
      buildUser({
        username: "late_q7z",
        adminId: id("admin"),
      }),
  }),
  row({
    call: "users.import",
    expected: ONLY_SUPER_ADMIN,
    input: () => ({ dryRun: false, file: "用户名,姓名,角色\r\nlate_q7z,后来者,C端用户\r\n" }),
  }),
  row({ call: "users.importTemplate", expected: ONLY_SUPER_ADMIN }),
  row({
    call: "users.update",
    on: "the client",
    expected: ONLY_SUPER_ADMIN,
    input: ({ id }) => ({
      ...CHANGES,
      id: id("client"),
      adminId: id("otherAdmin"),
    }),
  }),
  row({
    call: "users.delete",
    on: "the client",
    expected: ONLY_SUPER_ADMIN,
    input: id("client"),
  }),
  row({
    call: "users.resetPassword",
    on: "the client",
    expected: ONLY_SUPER_ADMIN,
    input: id("client"),
  }),
  row({
    call: "users.resetSecondFactor",
    on: "the client",
    expected: ONLY_SUPER_ADMIN,
    input: id("client"),
    prepare: withFactors(1),
  }),
  row({
    call: "users.tokens",
    on: "the client",
    expected: onlySuperAdmin(lists("token")),
    input: id("client"),
  }),
  row({
    call: "users.revokeToken",
    on: "a token of the client",
    expected: ONLY_SUPER_ADMIN,
    input: ({ id }) => ({ id: id("client"), tokenId: id("token") }),
  }),

  row({
    call: "hosts.list",
    expected: HOSTS,
  }),
  row({
    call: "hosts.list",
    on: "one to a page",
    expected: HOSTS,
    input: () => ({ limit: 1 }),
  }),
  row({
    call: "hosts.list",
    on: "searched for a host of the client",
    expected: whoSees(["host"]),
    input: searched("host"),
  }),
  row({
    call: "hosts.list",
    on: "searched for the shared host",
    expected: whoSees(["sharedHost"]),
    input: searched("sharedHost"),
  }),
  row({
    call: "hosts.list",
    on: "of those that nobody has",
    expected: UNASSIGNED,
    input: () => ({ assigned: false }),
  }),
  row({
    call: "hosts.list",
    on: "of those that are gone",
    expected: GONE,
    input: () => ({ gone: true }),
  }),
  row({
    call: "hosts.list",
    on: "of those that end soon at the provider",
    expected: ENDING,
    input: () => ({ expiring: 7 }),
  }),
  row({
    call: "hosts.list",
    on: "of those that end soon at the provider and do not renew themselves",
    expected: ENDING,
    input: () => ({ expiring: 7, autoRenew: false }),
  }),
  row({
    call: "hosts.list",
    on: "of those that end at the provider before an assignment",
    expected: ENDING,
    input: () => ({
      providerEndsFirst: true,
    }),
  }),
  row({
    call: "hosts.list",
    on: "of those that have a tag",
    expected: TAGGED,
    input: () => ({ tag: "生产" }),
  }),
  // The other admin sees the shared host, and none of the client's.
  row({
    call: "hosts.list",
    on: "of the client",
    expected: {
      superAdmin: HOSTS_OF_CLIENT,
      admin: HOSTS_OF_CLIENT,
      otherAdmin: lists(),
      ...INVALID_FROM_CLIENTS,
    },
    input: ofClient,
  }),
  row({
    call: "hosts.export",
    expected: HOSTS,
  }),
  row({
    call: "hosts.export",
    on: "searched for a host of the client",
    expected: whoSees(["host"]),
    input: searched("host"),
  }),
  row({
    call: "hosts.export",
    on: "of those that nobody has",
    expected: UNASSIGNED,
    input: () => ({ assigned: false }),
  }),
  row({
    call: "hosts.export",
    on: "of those that end soon at the provider",
    expected: ENDING,
    input: () => ({ expiring: 7 }),
  }),
  row({
    call: "hosts.get",
    on: "a host of the client",
    expected: OF_CLIENT,
    input: id("host"),
  }),
  row({
    call: "hosts.get",
    on: "a shared host",
    expected: {
      superAdmin: OK,
      admin: OK,
      otherAdmin: OK,
      client: OK,
      sibling: NOT_FOUND,
      otherClient: OK,
    },
    input: id("sharedHost"),
  }),
  row({
    call: "hosts.get",
    on: "a host of another client",
    expected: OF_OTHER_CLIENT,
    input: id("foreignHost"),
  }),
  row({
    call: "hosts.get",
    on: "a host that nobody has",
    expected: { superAdmin: OK, admin: NOT_FOUND, otherAdmin: NOT_FOUND, ...NOT_FOUND_TO_CLIENTS },
    input: id("spareHost"),
  }),
  row({
    call: "hosts.summary",
    expected: {
      superAdmin: counts(6),
      admin: counts(5),
      otherAdmin: counts(2),
      client: counts(4),
      sibling: counts(1),
      otherClient: counts(2),
    },
  }),
  row({
    call: "hosts.tags",
    expected: { ...EVERYBODY, ...FORBIDDEN_TO_CLIENTS },
  }),
  row({
    call: "hosts.annotate",
    on: "a host of the client",
    expected: ONLY_SUPER_ADMIN,
    input: ({ id }) => ({ id: id("host"), tags: ["测试"], note: "月底迁移" }),
  }),
  row({
    call: "hosts.assign",
    on: "a host that nobody has",
    expected: ONLY_SUPER_ADMIN,
    input: assigning("sibling"),
  }),
  row({
    call: "assignments.import",
    on: "a host that nobody has",
    expected: ONLY_SUPER_ADMIN,
    input: ({ row }) => {
      const names = [row("spareHost").markers[1], row("sibling").markers[1]].join(",");
      return { dryRun: false, file: `主机,用户名,天数\r\n${names},30\r\n` };
    },
  }),
  row({ call: "assignments.importTemplate", expected: ONLY_SUPER_ADMIN }),
  row({
    call: "hosts.unassign",
    on: "a host of the client",
    expected: ONLY_SUPER_ADMIN,
    input: ({ id }) => ({
      hostId: id("host"),
      userId: id("client"),
    }),
  }),
  row({
    call: "hosts.batch",
    on: "assigning",
    expected: ONLY_SUPER_ADMIN,
    input: assigning("otherClient", { isBatch: true }),
  }),
  row({
    call: "hosts.batch",
    on: "unassigning",
    expected: ONLY_SUPER_ADMIN,
    input: listed("hostIds", ["host", "foreignHost"], { operation: "unassign" }),
  }),
  row({
    call: "hosts.batch",
    on: "transferring",
    expected: ONLY_SUPER_ADMIN,
    input: ({ id }) => ({
      operation: "transfer",
      hostIds: [id("host")],
      fromUserId: id("client"),
      userId: id("sibling"),
    }),
  }),
  row({
    call: "hosts.batch",
    on: "syncing",
    expected: ONLY_SUPER_ADMIN,
    input: listed("hostIds", ["host"], { operation: "sync" }),
  }),
  row({
    call: "hosts.batch",
    on: "tagging",
    expected: ONLY_SUPER_ADMIN,
    input: listed("hostIds", ["host", "spareHost"], { operation: "tag", add: ["测试"] }),
  }),
  row({
    call: "hosts.sync",
    on: "a configuration",
    expected: ONLY_SUPER_ADMIN,
    input: ({ id }) => ({ configId: id("config"), wait: 25 }),
  }),
  row({
    call: "hosts.syncOne",
    on: "a host of the client",
    expected: ONLY_SUPER_ADMIN,
    input: id("host"),
  }),
  row({
    call: "hosts.syncRuns",
    expected: onlySuperAdmin(lists("run", "liveRun")),
  }),
  row({
    call: "hosts.syncRuns",
    on: "of one configuration",
    expected: onlySuperAdmin(lists("run")),
    input: ({ id }) => ({
      configId: id("config"),
    }),
  }),
  row({
    call: "hosts.syncRun",
    on: "a sync run",
    expected: ONLY_SUPER_ADMIN,
    input: id("run"),
  }),
  row({
    call: "hosts.changes",
    on: "all hosts",
    expected: ONLY_SUPER_ADMIN,
  }),
  row({
    call: "hosts.syncRunChanges",
    on: "a sync run",
    expected: ONLY_SUPER_ADMIN,
    input: id("run"),
  }),
  row({
    call: "hosts.history",
    on: "a host of the client",
    expected: OF_CLIENT,
    input: id("host"),
  }),
  row({
    call: "hosts.history",
    on: "a shared host",
    expected: {
      superAdmin: OK,
      admin: OK,
      otherAdmin: OK,
      client: OK,
      sibling: NOT_FOUND,
      otherClient: OK,
    },
    input: id("sharedHost"),
  }),
  row({
    call: "hosts.history",
    on: "a host of another client",
    expected: OF_OTHER_CLIENT,
    input: id("foreignHost"),
  }),
  row({
    call: "hosts.history",
    on: "a host that nobody has",
    expected: { superAdmin: OK, admin: NOT_FOUND, otherAdmin: NOT_FOUND, ...NOT_FOUND_TO_CLIENTS },
    input: id("spareHost"),
  }),
  row({
    call: "hosts.cancelSync",
    on: "a sync run",
    expected: ONLY_SUPER_ADMIN,
    input: id("liveRun"),
  }),

  row({
    call: "hosts.heldRemovals",
    expected: ONLY_SUPER_ADMIN,
  }),
  row({
    call: "hosts.confirmRemovals",
    on: "a held host of the client",
    expected: ONLY_SUPER_ADMIN,
    input: listed("hostIds", ["host"]),
    prepare: holdHost,
  }),
  row({
    call: "hosts.dismissRemovals",
    on: "a held host of the client",
    expected: ONLY_SUPER_ADMIN,
    input: listed("hostIds", ["host"]),
    prepare: holdHost,
  }),

  row({
    call: "configs.list",
    expected: onlySuperAdmin(lists("config", "otherConfig")),
  }),
  row({
    call: "configs.create",
    expected: ONLY_SUPER_ADMIN,
    input: ({ app }) =>
      buildConfig({
        apiUrl: app.simulator.url,
        isDefault: true,
      }),
  }),
  row({
    call: "configs.update",
    on: "a configuration",
    expected: ONLY_SUPER_ADMIN,
    input: id("config", CHANGES),
  }),
  row({
    call: "configs.delete",
    on: "a configuration",
    expected: ONLY_SUPER_ADMIN,
    input: id("otherConfig"),
  }),
  row({
    call: "configs.test",
    on: "a configuration",
    expected: ONLY_SUPER_ADMIN,
    input: id("config"),
  }),

  row({
    call: "noticeChannels.list",
    expected: onlySuperAdmin(lists("channel")),
  }),
  row({
    call: "noticeChannels.create",
    expected: ONLY_SUPER_ADMIN,
    input: ({ app }) => buildChannel({ config: { url: app.simulator.url } }),
  }),
  row({
    call: "noticeChannels.update",
    on: "a channel",
    expected: ONLY_SUPER_ADMIN,
    input: id("channel", CHANGES),
  }),
  row({
    call: "noticeChannels.delete",
    on: "a channel",
    expected: ONLY_SUPER_ADMIN,
    input: id("channel"),
  }),
  row({
    call: "noticeChannels.test",
    on: "a channel",
    expected: ONLY_SUPER_ADMIN,
    input: id("channel"),
  }),

  row({
    call: "renewals.create",
    on: "a host of the client",
    expected: {
      superAdmin: FORBIDDEN,
      ...FORBIDDEN_TO_ADMINS,
      client: OK,
      sibling: NOT_FOUND,
      otherClient: NOT_FOUND,
    },
    input: renewing("quietHost"),
  }),
  row({
    call: "renewals.create",
    on: "a shared host",
    expected: {
      superAdmin: FORBIDDEN,
      ...FORBIDDEN_TO_ADMINS,
      client: OK,
      sibling: NOT_FOUND,
      otherClient: OK,
    },
    input: renewing("sharedHost"),
  }),
  row({
    call: "renewals.create",
    on: "a host with a pending request",
    expected: {
      superAdmin: FORBIDDEN,
      ...FORBIDDEN_TO_ADMINS,
      client: CONFLICT,
      sibling: NOT_FOUND,
      otherClient: NOT_FOUND,
    },
    input: renewing("host"),
  }),
  row({
    call: "renewals.createBatch",
    on: "an own host",
    expected: {
      superAdmin: FORBIDDEN,
      ...FORBIDDEN_TO_ADMINS,
      client: OK,
      sibling: OK,
      otherClient: OK,
    },
    input: ({ id }, actor) => ({
      hostIds: [id(actor === "sibling" ? "siblingHost" : "sharedHost")],
      requestedDuration: 30,
    }),
  }),
  row({
    call: "renewals.list",
    expected: whoSees(["request", "decidedRequest", "foreignRequest"]),
  }),
  row({
    call: "renewals.list",
    on: "searched for the client's name",
    expected: whoSees(["request", "decidedRequest"]),
    input: searched("client"),
  }),
  row({
    call: "renewals.list",
    on: "of the client",
    expected: { ...whoSees(["request", "decidedRequest"]), ...INVALID_FROM_CLIENTS },
    input: ofClient,
  }),
  row({
    call: "renewals.export",
    expected: EVERYBODY,
  }),
  row({
    call: "renewals.export",
    on: "of the client",
    expected: { ...EVERYBODY, ...INVALID_FROM_CLIENTS },
    input: ofClient,
  }),
  row({
    call: "renewals.get",
    on: "a request of the client",
    expected: OF_CLIENT,
    input: id("request"),
  }),
  row({
    call: "renewals.get",
    on: "a request of another client",
    expected: OF_OTHER_CLIENT,
    input: id("foreignRequest"),
  }),
  row({
    call: "renewals.process",
    on: "a request of the client",
    expected: ONLY_SUPER_ADMIN,
    input: id("request", { status: "completed" }),
  }),
  row({
    call: "renewals.processBatch",
    on: "a request of the client",
    expected: ONLY_SUPER_ADMIN,
    input: listed("ids", ["request"], { status: "approved" }),
  }),
  row({
    call: "renewals.undo",
    on: "a decided request of the client",
    expected: ONLY_SUPER_ADMIN,
    input: id("decidedRequest"),
  }),
  row({
    call: "renewals.cancel",
    on: "a request of the client",
    expected: {
      superAdmin: FORBIDDEN,
      ...FORBIDDEN_TO_ADMINS,
      client: OK,
      sibling: NOT_FOUND,
      otherClient: NOT_FOUND,
    },
    input: id("request"),
  }),

  row({
    call: "notices.list",
    expected: { ...NOTICES, client: lists("notice", "readNotice") },
  }),
  row({
    call: "notices.list",
    on: "of those that are unread",
    expected: NOTICES,
    input: () => ({ unread: true }),
  }),
  row({
    call: "notices.read",
    expected: EVERYBODY,
    input: () => ({ all: true }),
    touches: "own",
  }),
  row({
    call: "notices.delete",
    on: "a notice of the client",
    expected: OWN_OF_CLIENT,
    input: id("notice"),
    touches: "own",
  }),

  row({
    call: "settings.get",
    expected: EVERYBODY,
  }),
  row({
    call: "settings.update",
    expected: ONLY_SUPER_ADMIN,
    input: () => ({ show_network_info_to_client: true }),
  }),
  row({
    call: "securitySettings.get",
    expected: ONLY_SUPER_ADMIN,
  }),
  row({
    call: "securitySettings.update",
    expected: ONLY_SUPER_ADMIN,
    input: () => ({ secondFactorRequiredRoles: ["client"] }),
  }),

  row({
    call: "reminders.settings",
    expected: ONLY_SUPER_ADMIN,
  }),
  row({
    call: "reminders.updateSettings",
    expected: ONLY_SUPER_ADMIN,
    input: () => ({ ...buildReminderSettings({ isActive: false, sendAt: "10:30" }) }),
  }),
  row({
    call: "reminders.list",
    expected: ONLY_SUPER_ADMIN,
    input: ofClient,
  }),
  row({
    call: "reminders.send",
    on: "a host of the client",
    expected: ONLY_SUPER_ADMIN,
    input: listed("hostIds", ["host"], {}),
  }),

  row({
    call: "audit.list",
    expected: ONLY_SUPER_ADMIN,
  }),
  row({
    call: "audit.export",
    expected: ONLY_SUPER_ADMIN,
  }),

  row({
    call: "events.stream",
    expected: EVERYBODY,
  }),
];

type ByCaller = TableRow["expected"];

interface RowOptions extends Omit<TableRow, "on" | "input"> {
  readonly on?: string;
  readonly input?: InputOf;
}

function row({ on = "", input = nothing, ...more }: RowOptions): TableRow {
  return { on, input, ...more };
}

function onlySuperAdmin(expected: Expected): ByCaller {
  return { superAdmin: expected, ...FORBIDDEN_TO_ADMINS, ...FORBIDDEN_TO_CLIENTS };
}

function toClients(refusal: Refusal) {
  return { client: refusal, sibling: refusal, otherClient: refusal };
}

function filteredBySuperAdmin(found: RowName): ByCaller {
  return {
    superAdmin: lists(found),
    admin: INVALID_INPUT,
    otherAdmin: INVALID_INPUT,
    ...INVALID_FROM_CLIENTS,
  };
}

function lists(...rows: RowName[]): Expected {
  return { lists: rows };
}

/** What each caller sees of these rows. */
function whoSees(rows: readonly RowName[]): ByCaller {
  const seenBy = (actor: keyof typeof VISIBLE_ROWS) =>
    lists(...rows.filter((row) => VISIBLE_ROWS[actor].includes(row)));

  return {
    superAdmin: lists(...rows),
    admin: seenBy("admin"),
    otherAdmin: seenBy("otherAdmin"),
    client: seenBy("client"),
    sibling: seenBy("sibling"),
    otherClient: seenBy("otherClient"),
  };
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
  return ({ row }) => ({ search: row(name).markers[1] });
}

function renewing(name: RowName): InputOf {
  return (fixture) => ({ hostId: fixture.id(name), requestedDuration: 30 });
}
