import { beforeEach, describe, expect, it, vi } from "vitest";
import type { StreamEvent } from "../../src/shared/events.ts";
import { type Account, useApp } from "../harness/app.ts";
import { assign, DAY, insertHost } from "../harness/data.ts";

const app = useApp();
const LAST = { show_network_info_to_client: true };

interface Listener {
  readonly received: StreamEvent[];
  /** Waits for the last change of a test and returns the events before it. */
  untilLast(): Promise<StreamEvent[]>;
}

async function listen({ token }: Account): Promise<Listener> {
  const received: StreamEvent[] = [];
  app.trpc(token ?? "").events.stream.subscribe(undefined, { onData: ({ data }) => received.push(data) });
  await vi.waitFor(() => expect(received).toHaveLength(1), 5_000);
  received.length = 0;
  return {
    received,
    async untilLast() {
      await vi.waitFor(() => expect(received.at(-1)?.type).toBe("settings.changed"), 5_000);
      return received.slice(0, -1);
    },
  };
}

let admin: Account;
let client: Account;
let stranger: Account;
let strangeAdmin: Account;
let hostId: string;

beforeEach(async () => {
  admin = await app.account("admin");
  strangeAdmin = await app.account("admin");
  client = await app.account("client", { adminId: admin.id });
  stranger = await app.account("client", { adminId: strangeAdmin.id });
  hostId = await insertHost(app);
});

async function followAll() {
  const [forRoot, forAdmin, forClient, ...forStrangers] = await Promise.all(
    [app.root, admin, client, stranger, strangeAdmin].map(listen),
  );
  if (forRoot === undefined || forAdmin === undefined || forClient === undefined) throw new Error("no listener");
  const receive = async () => {
    await app.root.put("/api/system-config", LAST);
    return {
      root: await forRoot.untilLast(),
      admin: await forAdmin.untilLast(),
      client: await forClient.untilLast(),
      strangers: await Promise.all(forStrangers.map((listener) => listener.untilLast())),
    };
  };
  return { receive };
}

describe("events of an assignment", () => {
  it("reach the super admin, the client and the client's admin only", async () => {
    const { receive } = await followAll();
    await assign(app, hostId, client.id);
    const both = [
      { type: "hosts.changed", data: {} },
      { type: "assignment.changed", data: { hostId } },
    ];
    expect(await receive()).toEqual({ root: both, admin: both, client: both, strangers: [[], []] });
  });

  it("reach the users who lose the host when an assignment ends", async () => {
    await assign(app, hostId, client.id);
    const { receive } = await followAll();
    await app.root.post("/api/hosts/unassign", { hostId, userId: client.id });
    const expected = [{ type: "assignment.changed", data: { hostId } }];
    const received = await receive();
    expect(received).toMatchObject({ admin: expected, client: expected, strangers: [[], []] });
    expect(received.root).toHaveLength(2);
  });

  it("do not name the client of an assignment that starts later", async () => {
    const { receive } = await followAll();
    await assign(app, hostId, client.id, { from: DAY, to: 9 * DAY });
    const received = await receive();
    expect(JSON.stringify(received.client)).not.toContain(hostId);
    expect(received.admin).toContainEqual({ type: "assignment.changed", data: { hostId } });
  });

  it("name no future assignment to the client when its start is postponed, and still remove the host", async () => {
    await assign(app, hostId, client.id);
    const { receive } = await followAll();
    await assign(app, hostId, client.id, { from: DAY, to: 9 * DAY });
    expect((await receive()).client).toEqual([{ type: "hosts.changed", data: {} }]);
  });

  it("name the client whose earlier assignment had never started", async () => {
    await assign(app, hostId, client.id, { from: DAY, to: 9 * DAY });
    await app.root.post("/api/hosts/unassign", { hostId, userId: client.id });
    const { receive } = await followAll();
    await assign(app, hostId, client.id);
    expect((await receive()).client).toContainEqual({ type: "assignment.changed", data: { hostId } });
  });

  it("do not name the client of an assignment that ends before its start", async () => {
    await assign(app, hostId, client.id, { from: DAY, to: 9 * DAY });
    const { receive } = await followAll();
    await app.root.post("/api/hosts/unassign", { hostId, userId: client.id });
    const received = await receive();
    expect(JSON.stringify(received.client)).not.toContain(hostId);
    expect(received.admin).toContainEqual({ type: "assignment.changed", data: { hostId } });
  });
});

describe("other clients of the same host", () => {
  beforeEach(() => assign(app, hostId, stranger.id));

  it("receive no event for another client's assignment, its new period or its end", async () => {
    const { receive } = await followAll();
    await assign(app, hostId, client.id);
    await assign(app, hostId, client.id, { to: 60 * DAY });
    await app.root.post("/api/hosts/unassign", { hostId, userId: client.id });
    expect((await receive()).strangers).toEqual([[], []]);
  });
});

describe("events of changed hosts", () => {
  it("name the configuration to the super admin only and reach only users who have one of the hosts", async () => {
    const configId = (await app.config()) && (await app.config());
    await app.database.query("update hosts set config_id = $1", [configId]);
    await assign(app, hostId, client.id);
    const { receive } = await followAll();
    await app.root.delete(`/api/hosts/configs/${configId}`);
    const received = await receive();
    expect(received.root).toEqual([{ type: "hosts.changed", data: { configId } }]);
    expect(received.admin).toEqual([{ type: "hosts.changed", data: {} }]);
    expect(received.client).toEqual([{ type: "hosts.changed", data: {} }]);
    expect(received.strangers).toEqual([[], []]);
  });

  it("reach the admin and not the client of an assignment that starts later", async () => {
    const configId = (await app.config()) && (await app.config());
    await app.database.query("update hosts set config_id = $1", [configId]);
    await assign(app, hostId, client.id, { from: DAY, to: 9 * DAY });
    const { receive } = await followAll();
    await app.root.delete(`/api/hosts/configs/${configId}`);
    expect(await receive()).toMatchObject({ client: [], admin: [{ type: "hosts.changed", data: {} }] });
  });

  it("reach the new admin of a client that moved before delivery", async () => {
    await assign(app, hostId, client.id);
    await app.root.put(`/api/users/${client.id}`, { adminId: strangeAdmin.id });
    const { receive } = await followAll();
    await assign(app, hostId, client.id, { to: 60 * DAY });
    const received = await receive();
    expect(received.admin).toEqual([]);
    expect(received.strangers).toEqual([[], [expect.anything(), expect.anything()]]);
  });
});
