import { beforeEach, describe, expect, it, vi } from "vitest";
import type { StreamEvent } from "../../src/shared/events.ts";
import { type Account, useApp } from "../harness/app.ts";
import { assign, DAY, insertHost } from "./host-rows.ts";

const app = useApp();
const LAST = { show_network_info_to_client: true };

interface Ear {
  readonly heard: StreamEvent[];
  /** Waits for the last thing a story does, so that whatever should not come had its chance. */
  untilLast(): Promise<StreamEvent[]>;
}

async function listen({ token }: Account): Promise<Ear> {
  const heard: StreamEvent[] = [];
  app.trpc(token ?? "").events.stream.subscribe(undefined, { onData: ({ data }) => heard.push(data) });
  await vi.waitFor(() => expect(heard).toHaveLength(1), 5_000);
  heard.length = 0;
  return {
    heard,
    async untilLast() {
      await vi.waitFor(() => expect(heard.at(-1)?.type).toBe("settings.changed"), 5_000);
      return heard.slice(0, -1);
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

async function everybody() {
  const [forRoot, forAdmin, forClient, ...forStrangers] = await Promise.all(
    [app.root, admin, client, stranger, strangeAdmin].map(listen),
  );
  if (forRoot === undefined || forAdmin === undefined || forClient === undefined) throw new Error("nobody listens");
  const hear = async () => {
    await app.root.put("/api/system-config", LAST);
    return {
      root: await forRoot.untilLast(),
      admin: await forAdmin.untilLast(),
      client: await forClient.untilLast(),
      strangers: await Promise.all(forStrangers.map((ear) => ear.untilLast())),
    };
  };
  return { hear };
}

describe("an assignment", () => {
  it("is told to the super admin, the client and the client's admin, to nobody else", async () => {
    const { hear } = await everybody();
    await assign(app, hostId, client.id);
    const both = [
      { type: "hosts.changed", data: {} },
      { type: "assignment.changed", data: { hostId } },
    ];
    expect(await hear()).toEqual({ root: both, admin: both, client: both, strangers: [[], []] });
  });

  it("that ends is told to those who must let go of it", async () => {
    await assign(app, hostId, client.id);
    const { hear } = await everybody();
    await app.root.post("/api/hosts/unassign", { hostId, userId: client.id });
    const told = [{ type: "assignment.changed", data: { hostId } }];
    const heard = await hear();
    expect(heard).toMatchObject({ admin: told, client: told, strangers: [[], []] });
    expect(heard.root).toHaveLength(2);
  });

  it("that begins later is not named to the client", async () => {
    const { hear } = await everybody();
    await assign(app, hostId, client.id, { from: DAY, to: 9 * DAY });
    const heard = await hear();
    expect(JSON.stringify(heard.client)).not.toContain(hostId);
    expect(heard.admin).toContainEqual({ type: "assignment.changed", data: { hostId } });
  });

  it("whose beginning is put off is not named to the client, who must let go of the host all the same", async () => {
    await assign(app, hostId, client.id);
    const { hear } = await everybody();
    await assign(app, hostId, client.id, { from: DAY, to: 9 * DAY });
    expect((await hear()).client).toEqual([{ type: "hosts.changed", data: {} }]);
  });

  it("is named to the client whose earlier one had never begun", async () => {
    await assign(app, hostId, client.id, { from: DAY, to: 9 * DAY });
    await app.root.post("/api/hosts/unassign", { hostId, userId: client.id });
    const { hear } = await everybody();
    await assign(app, hostId, client.id);
    expect((await hear()).client).toContainEqual({ type: "assignment.changed", data: { hostId } });
  });

  it("that ends before it began is not named to the client either", async () => {
    await assign(app, hostId, client.id, { from: DAY, to: 9 * DAY });
    const { hear } = await everybody();
    await app.root.post("/api/hosts/unassign", { hostId, userId: client.id });
    const heard = await hear();
    expect(JSON.stringify(heard.client)).not.toContain(hostId);
    expect(heard.admin).toContainEqual({ type: "assignment.changed", data: { hostId } });
  });
});

describe("others who have the same host", () => {
  beforeEach(() => assign(app, hostId, stranger.id));

  it("hear nothing of an assignment, its new period and its end, for their rows are as they were", async () => {
    const { hear } = await everybody();
    await assign(app, hostId, client.id);
    await assign(app, hostId, client.id, { to: 60 * DAY });
    await app.root.post("/api/hosts/unassign", { hostId, userId: client.id });
    expect((await hear()).strangers).toEqual([[], []]);
  });
});

describe("a change of hosts", () => {
  it("names the configuration to the super admin only, and reaches only those who have one of them", async () => {
    const configId = (await app.config()) && (await app.config());
    await app.database.query("update hosts set config_id = $1", [configId]);
    await assign(app, hostId, client.id);
    const { hear } = await everybody();
    await app.root.delete(`/api/hosts/configs/${configId}`);
    const heard = await hear();
    expect(heard.root).toEqual([{ type: "hosts.changed", data: { configId } }]);
    expect(heard.admin).toEqual([{ type: "hosts.changed", data: {} }]);
    expect(heard.client).toEqual([{ type: "hosts.changed", data: {} }]);
    expect(heard.strangers).toEqual([[], []]);
  });

  it("is not told to a client who will have one of them later, but to the admin, who knows of it", async () => {
    const configId = (await app.config()) && (await app.config());
    await app.database.query("update hosts set config_id = $1", [configId]);
    await assign(app, hostId, client.id, { from: DAY, to: 9 * DAY });
    const { hear } = await everybody();
    await app.root.delete(`/api/hosts/configs/${configId}`);
    expect(await hear()).toMatchObject({ client: [], admin: [{ type: "hosts.changed", data: {} }] });
  });

  it("is judged when it is delivered: a client that has moved is told to the new admin", async () => {
    await assign(app, hostId, client.id);
    await app.root.put(`/api/users/${client.id}`, { adminId: strangeAdmin.id });
    const { hear } = await everybody();
    await assign(app, hostId, client.id, { to: 60 * DAY });
    const heard = await hear();
    expect(heard.admin).toEqual([]);
    expect(heard.strangers).toEqual([[], [expect.anything(), expect.anything()]]);
  });
});
