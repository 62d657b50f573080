import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { z } from "zod";
import { StoredEvent as AnyStoredEvent } from "../../src/server/event-presenters.ts";
import type { HostsChanged } from "../../src/server/modules/hosts/events.ts";
import type { StoredEvent } from "../../src/server/platform/events/event.ts";
import { StreamEvent } from "../../src/shared/events.ts";
import { DAY_SECONDS } from "../../src/shared/time.ts";
import { type Account, useApp } from "../harness/app.ts";
import {
  assign,
  insertHosts,
  MISSING,
  requestRenewal,
  type Team,
  twoAdmins,
  unassign,
} from "../harness/data.ts";
import { append, progress, settingsChanged } from "../harness/events.ts";
import { follow, type RawClient } from "../harness/raw-client.ts";

type Follower = keyof Team | "root" | "formerAdmin";
type Received = Readonly<Partial<Record<Follower, StreamEvent>>>;
/** A stored event, and what each follower receives of it. */
type Row = readonly [event: StoredEvent, received: Received];

const app = useApp();
const CONFIG_ID = MISSING;
const HINT: StreamEvent = { type: "hosts.changed", data: {} };
const CONFIG_HINT: StreamEvent = { type: "hosts.changed", data: { configId: CONFIG_ID } };
const HINT_TO_EVERYBODY = {
  admin: HINT,
  otherAdmin: HINT,
  client: HINT,
  otherClient: HINT,
  formerAdmin: HINT,
};
/** Everybody receives it. It stands between the rows, so that no hints are delivered as one. */
const MARK = settingsChanged(true);
const FINISHED = AnyStoredEvent.parse({ ...progress(1), type: "sync.finished" });

it("every event reaches exactly those whose scope covers it, live and replayed", async () => {
  const team = await twoAdmins(app);
  const followers = { ...team, root: app.root, formerAdmin: await app.account("admin") };
  const rows = await makeRows(followers);
  assertEveryType(rows);
  await using stack = new AsyncDisposableStack();
  const openStreams = async (after?: string) => {
    const opened = Object.entries(followers).map(async ([name, { token }]) => {
      return [name, stack.use(await follow(app.url, token, after))] as const;
    });
    return new Map(await Promise.all(opened));
  };
  const live = await openStreams();
  await append(app, ...rows.flatMap(([event]) => [event, MARK]));
  await expectReceived(rows, live);
  const setAdmin = "update users set admin_id = $1 where id = $2";
  await app.database.query(setAdmin, [team.otherAdmin.id, team.client.id]);
  await app.database.query(setAdmin, [team.admin.id, team.otherClient.id]);
  const exchanged = rows.map(
    ([event, { admin: otherAdmin, otherAdmin: admin, ...received }]): Row => {
      return [event, { ...received, ...(admin && { admin }), ...(otherAdmin && { otherAdmin }) }];
    },
  );
  await expectReceived(exchanged, await openStreams(live.get("root")?.events[0]?.id));
});

it("the document of the API says who receives each type of event, and what of it", () => {
  const manual = readFileSync(join(import.meta.dirname, "../../docs/api.md"), "utf8");
  const [, chapter = ""] = manual.split("## Events\n");
  const cells = [...chapter.matchAll(/^\| (`[^|]+`) \| \S.* \| \S.* \|$/gm)];
  const described = cells.flatMap(([, types = ""]) => types.replaceAll("`", "").split(", "));

  const types = StreamEvent.options.map(({ shape }) => shape.type.value);
  expect(described.toSorted(), "docs/api.md, Events: a line for each type").toEqual(
    types.toSorted(),
  );
});

function assertEveryType(rows: readonly Row[]): void {
  const tried = new Set(rows.map(([{ type }]) => type).concat(MARK.type));
  const missing = AnyStoredEvent.options
    .map(({ shape }) => shape.type.value)
    .filter((type) => !tried.has(type));

  const place = "makeRows in test/api/event-recipients.test.ts has a row of each type of event";
  expect(missing, place).toEqual([]);
}

async function expectReceived(
  rows: readonly Row[],
  streams: ReadonlyMap<string, RawClient>,
): Promise<void> {
  for (const [name, stream] of streams) {
    const isMark = ({ event }: { event: StreamEvent }) => event.type === "settings.changed";
    await stream.until(({ events }) => events.filter(isMark).length === rows.length);
    const expected = rows.flatMap(([, received]) => {
      return [
        ...Object.entries(received).flatMap(([follower, event]) =>
          follower === name ? [event] : [],
        ),
        MARK,
      ];
    });
    expect([name, stream.events.slice(1).map(({ event }) => event)]).toEqual([name, expected]);
  }
}

async function makeRows(followers: Readonly<Record<Follower, Account>>): Promise<Row[]> {
  const { admin, client, otherClient, formerAdmin } = followers;
  const hosts = await insertHosts(app, Array(7).fill({}));
  const [
    current = "",
    expired = "",
    future = "",
    ended = "",
    neverBegun = "",
    shared = "",
    ofDeleted = "",
  ] = hosts;
  await assign(app, expired, client.id, { from: -10 * DAY_SECONDS, to: -DAY_SECONDS });
  await assign(app, future, client.id, { from: DAY_SECONDS });
  for (const hostId of [current, ended, neverBegun, shared]) await assign(app, hostId, client.id);
  for (const hostId of [ended, neverBegun]) await unassign(app, hostId, client.id);
  await app.database.query("update assignments set ended_at = assigned_at - 1 where host_id = $1", [
    neverBegun,
  ]);
  await assign(app, shared, otherClient.id);
  const deleted = await app.account("client", { adminId: admin.id });
  await assign(app, ofDeleted, deleted.id);
  const pending = await requestRenewal(client, current);
  const cancelled = await requestRenewal(deleted, ofDeleted);
  await app.root.delete(`/api/users/${deleted.id}`);
  await client.post("/api/notices/read", { all: true });

  const ofClient = { root: CONFIG_HINT, admin: HINT, client: HINT };
  const ofOtherClient = { root: CONFIG_HINT, otherAdmin: HINT, otherClient: HINT };
  const toAll = (shown: StreamEvent) => ({ root: shown, admin: shown, client: shown });
  // The client gets no id of a host whose assignment has not begun.
  const toAllButId = (shown: StreamEvent) => ({ root: shown, admin: shown, client: HINT });
  const toRoot = (shown: StreamEvent) => ({ root: shown });
  const toRootAndAdmin = (shown: StreamEvent) => ({ root: shown, admin: shown });
  const toClient = (shown: StreamEvent) => ({ client: shown });
  const notice = {
    id: MISSING,
    type: "renewal.approved",
    severity: "info",
    title: "已批准",
  } as const;
  const noticeCreated = { type: "notice.created", data: notice } as const;
  const noticesRead = { type: "notices.read", data: { unreadCount: 0 } } as const;
  const configChanged = { type: "config.changed", data: { configId: CONFIG_ID } } as const;
  const channelChanged = { type: "channel.changed", data: { channelId: CONFIG_ID } } as const;
  const removalsChanged = { type: "removals.changed", data: { configId: CONFIG_ID } } as const;
  const annotationsChanged = (
    hostId: string,
    areTagsChanged: boolean,
    to: (shown: StreamEvent) => Received,
  ): Row => {
    const type = "annotations.changed";
    return [{ type, data: { hostId, areTagsChanged } }, to({ type, data: { hostId } })];
  };
  const securitySettingsChanged = {
    type: "securitySettings.changed",
    data: { secondFactorRequiredRoles: [] },
  } satisfies StreamEvent;
  const remindersChanged = { type: "reminders.changed", data: {} } as const;
  return [
    [hostsChanged([current]), ofClient],
    [hostsChanged([current], { configId: null }), { ...ofClient, root: HINT }],
    [hostsChanged([expired]), ofClient],
    [hostsChanged([future]), { root: CONFIG_HINT, admin: HINT }],
    [hostsChanged([ended, neverBegun, ofDeleted]), { root: CONFIG_HINT }],
    [hostsChanged([ended, shared]), { ...ofClient, ...ofOtherClient }],
    [hostsChanged([shared], { userId: otherClient.id }), ofOtherClient],
    [
      hostsChanged([ended], { formerAdminId: formerAdmin.id }),
      { root: CONFIG_HINT, formerAdmin: HINT },
    ],
    [hostsChanged([], { areTooMany: true }), { ...HINT_TO_EVERYBODY, root: CONFIG_HINT }],
    [hostsChanged([], { areTooMany: true, userId: otherClient.id }), ofOtherClient],
    assignmentChanged(current, client, toAll),
    assignmentChanged(ended, client, toAll),
    assignmentChanged(future, client, toAllButId),
    assignmentChanged(neverBegun, client, toAllButId),
    assignmentChanged(ofDeleted, deleted, toRoot),
    [
      { type: "renewal.created", data: { renewalId: pending } },
      toAll({ type: "renewal.created", data: { id: pending, status: "pending" } }),
    ],
    // Its own status, whatever became of the request since.
    [
      { type: "renewal.processed", data: { renewalId: pending, status: "approved" } },
      toAll({ type: "renewal.processed", data: { id: pending, status: "approved" } }),
    ],
    [
      { type: "renewal.cancelled", data: { renewalId: cancelled } },
      toRoot({ type: "renewal.cancelled", data: { id: cancelled, status: "cancelled" } }),
    ],
    userChanged(client, toRootAndAdmin),
    userChanged(deleted, toRoot),
    userChanged(admin, toRoot),
    userChanged(deleted, (shown) => ({ root: shown, formerAdmin: shown }), {
      formerAdminId: formerAdmin.id,
    }),
    userChanged(client, (shown) => ({ ...toRootAndAdmin(shown), formerAdmin: shown }), {
      formerAdminId: formerAdmin.id,
    }),
    // Nobody else learns that a note was changed.
    userChanged(client, toRoot, { isNoteOnly: true }),
    annotationsChanged(current, true, toRootAndAdmin),
    annotationsChanged(current, false, toRoot),
    annotationsChanged(future, true, toRootAndAdmin),
    annotationsChanged(ended, true, toRoot),
    [progress(1), toRoot(StreamEvent.parse(progress(1)))],
    [FINISHED, toRoot(StreamEvent.parse(FINISHED))],
    [removalsChanged, toRoot(removalsChanged)],
    [configChanged, toRoot(configChanged)],
    [{ type: "notice.created", data: { ...notice, userId: client.id } }, toClient(noticeCreated)],
    [{ type: "notices.read", data: { userId: client.id } }, toClient(noticesRead)],
    [securitySettingsChanged, toRoot(securitySettingsChanged)],
    [remindersChanged, toRoot(remindersChanged)],
    [channelChanged, toRoot(channelChanged)],
  ];
}

function hostsChanged(
  hostIds: string[],
  more: Partial<z.infer<typeof HostsChanged>["data"]> = {},
): StoredEvent {
  return { type: "hosts.changed", data: { configId: CONFIG_ID, hostIds, ...more } };
}

function assignmentChanged(
  hostId: string,
  { id: userId }: Account,
  to: (shown: StreamEvent) => Received,
): Row {
  const type = "assignment.changed";
  return [{ type, data: { hostId, userId } }, to({ type, data: { hostId } })];
}

function userChanged(
  { id }: Account,
  to: (shown: StreamEvent) => Received,
  more: { formerAdminId?: string; isNoteOnly?: boolean } = {},
): Row {
  const type = "user.changed";
  return [{ type, data: { userId: id, ...more } }, to({ type, data: { id } })];
}
