import { setTimeout as sleep } from "node:timers/promises";
import { beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { StoredEvent } from "../../src/server/event-presenters.ts";
import { StreamEvent } from "../../src/shared/events.ts";
import { DAY_SECONDS } from "../../src/shared/time.ts";
import { useApp, useTeam } from "../harness/app.ts";
import {
  assign,
  buildUser,
  decide,
  insertHost,
  insertHosts,
  requestRenewal,
  unassign,
} from "../harness/data.ts";
import { holdLock, itOnPostgresql } from "../harness/hold-lock.ts";
import { restClient } from "../harness/rest.ts";
import { PASSWORD } from "../harness/root-user.ts";
import { Stopwatch } from "../harness/stopwatch.ts";

const app = useApp();
const team = useTeam(app);
let hostId: string;

beforeEach(async () => {
  hostId = await insertHost(app);
});

/**
 * Events that the calls write, in order, but those of notices: act-notices.test.ts has them. Who
 * receives each is proved by event-recipients.test.ts.
 */
async function eventsOf(act: () => Promise<unknown>): Promise<unknown[]> {
  const [newest] = await app.database.query("select coalesce(max(id), 0) as id from events");
  await act();
  return await app.database.query(
    `select type, payload as data from events
     where id > $1 and type <> 'notice.created' order by id`,
    [newest?.id],
  );
}

async function hostEventsOf(act: () => Promise<unknown>): Promise<unknown[]> {
  const events = z.array(z.looseObject({ type: z.string() })).parse(await eventsOf(act));
  return events.filter(({ type }) => type === "hosts.changed");
}

const hostsChanged = (more: object = {}) => {
  return {
    type: "hosts.changed",
    data: { configId: null, hostIds: [hostId], userId: team.client.id, ...more },
  };
};
const assignment = () => ({ type: "assignment.changed", data: { hostId, userId: team.client.id } });
const assignmentChanged = () => [hostsChanged(), assignment()];
const userChanged = ({ id }: { readonly id: string }, more: object = {}) => {
  return { type: "user.changed", data: { userId: id, ...more } };
};
const assignToClient = (period = {}) => assign(app, hostId, team.client.id, period);
const end = () => unassign(app, hostId, team.client.id);
const update = ({ id }: { readonly id: string }, changes: object) =>
  app.root.put(`/api/users/${id}`, changes);

it("the start, a new period and the end of an assignment name host and client", async () => {
  for (const act of [assignToClient, () => assignToClient({ to: 60 * DAY_SECONDS }), end]) {
    expect(await eventsOf(act)).toEqual(assignmentChanged());
  }
});

it("a request, its decision and its cancellation are one event each", async () => {
  const { client } = team;
  let id = "";
  const request = async () => {
    id = await requestRenewal(client, hostId);
  };
  const cancel = () => client.delete(`/api/renewals/${id}`);
  const renewal = (what: string, status: string) => ({
    type: `renewal.${what}`,
    data: { renewalId: id, status },
  });
  // The notice of the decision is withdrawn.
  const noticesRead = { type: "notices.read", data: { userId: client.id } };
  await assignToClient();
  for (const [act, expected] of [
    [request, () => [renewal("created", "pending")]],
    [() => decide(app, id, "approved"), () => [renewal("processed", "approved")]],
    [cancel, () => []],
    [
      () => decide(app, id, "completed"),
      () => [...assignmentChanged(), renewal("processed", "completed")],
    ],
    [
      () => app.root.post(`/api/renewals/${id}/undo`, {}),
      () => [noticesRead, ...assignmentChanged(), renewal("processed", "approved")],
    ],
    [
      () => decide(app, id, "completed"),
      () => [...assignmentChanged(), renewal("processed", "completed")],
    ],
    [request, () => [renewal("created", "pending")]],
    [() => decide(app, id, "rejected"), () => [renewal("processed", "rejected")]],
    [() => decide(app, id, "completed"), () => []],
    [request, () => [renewal("created", "pending")]],
    [cancel, () => [renewal("cancelled", "cancelled")]],
    [request, () => [renewal("created", "pending")]],
    [end, () => [renewal("cancelled", "cancelled"), ...assignmentChanged()]],
  ] as const) {
    expect(await eventsOf(act)).toEqual(expected());
  }
});

it("a change of tags or of the note is one event, which says whether tags were changed", async () => {
  const annotate = (body: object) =>
    eventsOf(() => app.root.put(`/api/hosts/${hostId}/annotations`, body));
  const tag = (body: object) =>
    eventsOf(() =>
      app.root.post("/api/hosts/batch", { operation: "tag", hostIds: [hostId], ...body }),
    );
  const annotationsChanged = (areTagsChanged: boolean) => [
    { type: "annotations.changed", data: { hostId, areTagsChanged } },
  ];

  expect(await annotate({ tags: ["a"], note: "b" })).toEqual(annotationsChanged(true));
  expect(await annotate({ tags: ["a"], note: "c" })).toEqual(annotationsChanged(false));
  expect(await annotate({ tags: ["a"], note: "c" })).toEqual([]);
  expect(await tag({ add: ["d"] })).toEqual(annotationsChanged(true));
  expect(await tag({ add: ["D"], remove: ["e"] })).toEqual([]);
});

describe("a change of many hosts", () => {
  it("by moving a client with hosts names the former admin", async () => {
    await assignToClient();
    const first = team.admin.id;
    const second = team.otherAdmin.id;
    for (const [adminId, expected] of [
      [first, []],
      [second, [hostsChanged({ formerAdminId: first })]],
      [null, [hostsChanged({ formerAdminId: second })]],
      [first, [hostsChanged({ formerAdminId: null })]],
    ] as const) {
      expect(await hostEventsOf(() => update(team.client, { adminId, name: "改名" }))).toEqual(
        expected,
      );
    }

    expect(await hostEventsOf(() => update(team.otherClient, { adminId: first }))).toEqual([]);
  });

  it("by moving a client names no host that it had before", async () => {
    const former = await insertHost(app);
    await assign(app, former, team.client.id);
    await unassign(app, former, team.client.id);
    await assignToClient();

    const events = await hostEventsOf(() => update(team.client, { adminId: team.otherAdmin.id }));

    expect(events).toEqual([hostsChanged({ formerAdminId: team.admin.id })]);
  });

  it("by deleting a client names all its hosts and its admin, and cancels its requests", async () => {
    const hostIds = [hostId, ...(await insertHosts(app, [{}, {}]))];
    for (const each of hostIds) await assign(app, each, team.client.id);
    await assign(app, hostId, team.otherClient.id);
    const renewalId = await requestRenewal(team.client, hostId);
    const events = await eventsOf(() => app.root.delete(`/api/users/${team.client.id}`));
    const named = { hostIds: expect.arrayContaining(hostIds), formerAdminId: team.admin.id };

    expect(events).toEqual([
      { type: "renewal.cancelled", data: { renewalId, status: "cancelled" } },
      hostsChanged(named),
      userChanged(team.client, { formerAdminId: team.admin.id }),
    ]);
    expect(events).toHaveProperty("1.data.hostIds.length", 3);
  });
});

describe("a change of a user is one event", () => {
  const adminId = () => team.admin.id;

  it("when the user is made", async () => {
    let id = "";

    const events = await eventsOf(async () => {
      id = (await app.root.post("/api/users", buildUser({ adminId: adminId() }))).data.id;
    });

    expect(events).toEqual([userChanged({ id })]);
  });

  it.each([
    ["the name", { name: "改名" }],
    ["the address", { email: "new@example.com" }],
    ["the phone", { phone: "13800138000" }],
    ["the activity", { isActive: false }],
  ])("when %s changes", async (_what, changes) => {
    const events = await eventsOf(() => update(team.client, changes));

    expect(events).toEqual([userChanged(team.client)]);
  });

  it("which says when nothing but the note was changed", async () => {
    const alone = await eventsOf(() => update(team.client, { note: "欠款" }));
    const withName = await eventsOf(() => update(team.client, { note: "已付", name: "改名" }));
    const again = await eventsOf(() => update(team.client, { note: "已付" }));

    expect(alone).toEqual([userChanged(team.client, { isNoteOnly: true })]);
    expect(withName).toEqual([userChanged(team.client)]);
    expect(again).toEqual([]);
  });

  it("and none when what is given is stored already, or the call is refused", async () => {
    await update(team.client, { name: "改名", email: null });

    expect(
      await eventsOf(() => update(team.client, { name: "改名", email: null, phone: null })),
    ).toEqual([]);
    expect(await eventsOf(() => update(team.client, {}))).toEqual([]);
    expect(await eventsOf(() => update(team.client, { phone: "1" }))).toEqual([]);
    expect(await eventsOf(() => app.root.delete(`/api/users/${app.root.id}`))).toEqual([]);
  });

  it("that names the former admin when the user moves", async () => {
    const events = await eventsOf(() => update(team.client, { adminId: team.otherAdmin.id }));

    expect(events).toEqual([userChanged(team.client, { formerAdminId: adminId() })]);
  });

  it("when an admin with clients is disabled or deleted", async () => {
    expect(await eventsOf(() => update(team.admin, { isActive: false }))).toEqual([
      userChanged(team.admin),
    ]);

    const events = await eventsOf(() => app.root.delete(`/api/users/${team.admin.id}`));

    expect(events).toEqual([userChanged(team.admin, { formerAdminId: null })]);
  });

  it("when the password is reset, and when the user has changed it then", async () => {
    let newPassword = "";
    const reset = async () => {
      newPassword = (await app.root.post(`/api/users/${team.client.id}/reset-password`)).data
        .newPassword;
    };
    const change = async (currentPassword: string, chosen: string) => {
      const { username } = team.client;
      const { data } = await restClient(app.url).post("/api/auth/login", {
        username,
        password: currentPassword,
      });
      const body = { currentPassword, newPassword: chosen };
      expect((await restClient(app.url, data.token).put("/api/auth/password", body)).status).toBe(
        200,
      );
    };

    expect(await eventsOf(reset)).toEqual([userChanged(team.client)]);
    expect(await eventsOf(() => change(newPassword, PASSWORD))).toEqual([userChanged(team.client)]);
    expect(await eventsOf(() => change(PASSWORD, `${PASSWORD}2`))).toEqual([]);
  });

  it("that replicas of other versions can read", () => {
    const data = { userId: team.client.id };

    const newer = StoredEvent.parse({ type: "user.changed", data: { ...data, ofTomorrow: 1 } });
    const newerShown = StreamEvent.parse({
      type: "user.changed",
      data: { id: data.userId, ofTomorrow: 1 },
    });

    expect(newer.data).toEqual(data);
    expect(newerShown.data).toEqual({ id: data.userId });
  });
});

describe("the system settings", () => {
  const settings = { show_network_info_to_client: true };

  it("are returned unwrapped, and published when the super admin changes them", async () => {
    for (const changes of [settings, {}]) {
      expect((await app.root.put("/api/system-config", changes)).body).toEqual(settings);
      expect((await app.root.get("/api/system-config")).body).toEqual(settings);
    }

    const [event] = await app.database.query(
      "select payload from events where type = 'settings.changed'",
    );

    expect(event).toEqual({ payload: settings });
  });

  it.each([true, false])("that are absent stay as they are (%s)", async (value) => {
    const stored = { show_network_info_to_client: value };
    await app.root.put("/api/system-config", stored);

    const answer = await app.root.put("/api/system-config", {});

    expect(answer.body).toEqual(stored);
  });

  itOnPostgresql(
    "answer 503 to those who wait too long for them, and others are served soon",
    async () => {
      await using lock = await holdLock(app.database, "select from settings for update");
      const changes = Array.from({ length: 12 }, () =>
        app.root.put("/api/system-config", settings),
      );
      await lock.awaited();
      expect((await app.root.get("/api/system-config")).status).toBe(200);
      for (const { status, headers, data } of await Promise.all(changes)) {
        expect([status, headers.get("retry-after"), data.code]).toEqual([503, "5", "UNAVAILABLE"]);
      }
    },
  );

  it("are readable as events from a replica with more settings and from one with fewer", () => {
    const newer = { type: "settings.changed", data: { ...settings, of_tomorrow: 1 } };

    expect([StoredEvent.parse(newer).data, StreamEvent.parse(newer).data]).toEqual([
      settings,
      settings,
    ]);
    expect(StoredEvent.parse({ type: "settings.changed", data: {} }).data).toEqual({});
  });
});

it("progress is published every two seconds, and at most four times a second", async () => {
  const countProgress = async () => {
    const [row] = await app.database.query(
      "select count(*)::int as count from events where type = 'sync.progress'",
    );
    return Number(row?.count);
  };
  const { control } = app.simulator;
  await app.config();
  control.hold({ action: "DescribeUHostInstance", times: 1_000 });
  const { data } = await app.root.post("/api/hosts/sync?wait=0");
  await control.waitForHeld();
  await sleep(600);
  const before = await countProgress();
  const began = performance.now();
  using stopwatch = new Stopwatch();
  await expect.poll(countProgress).toBeGreaterThan(before);
  const waited = stopwatch.read();
  await sleep(1_000);
  const published = (await countProgress()) - before;
  const seconds = (performance.now() - began) / 1000;
  await app.root.post(`/api/hosts/sync-runs/${data.runs[0].id}/cancel`);

  expect(waited).toBeLessThan(2_600);
  expect(published).toBeLessThanOrEqual(seconds * 4);
});
