import { describe, expect, it } from "vitest";
import { follow, seen } from "../sockets/raw-client.ts";
import { progress, settingsChanged, signIn, useReplica } from "../sockets/replica.ts";

const replica = useReplica();

describe("event recipients", () => {
  it("permissions are evaluated at delivery, also for replayed events", async () => {
    const admin = await signIn(replica.database, "admin");
    const otherAdmin = await signIn(replica.database, "admin");
    const client = await signIn(replica.database, "client", admin.userId);
    const stranger = await signIn(replica.database, "client");
    const root = await signIn(replica.database, "super_admin");
    const eventTypes = async ({ token }: { token: string }, lastEventId: string | undefined) => {
      await using stream = await follow(replica.url, token, lastEventId);
      expect(stream.events[0]?.event.data).toEqual({ resumed: true });
      await stream.until(({ events }) => events.at(-1)?.event.type === "settings.changed");
      return stream.events.slice(1, -1).map(({ event }) => event.type);
    };
    await using before = await follow(replica.url, root.token);
    const start = before.events[0]?.id;
    const hostId = await insertHost();
    await replica.append(
      progress(1),
      { type: "assignment.changed", data: { hostId, userId: client.userId } },
      settingsChanged(true),
    );
    expect(await eventTypes(root, start)).toEqual(["sync.progress", "assignment.changed"]);
    expect(await eventTypes(admin, start)).toEqual(["assignment.changed"]);
    expect(await eventTypes(client, start)).toEqual(["assignment.changed"]);
    expect(await eventTypes(otherAdmin, start)).toEqual([]);
    expect(await eventTypes(stranger, start)).toEqual([]);

    await replica.database.query("update users set admin_id = $1 where id = $2", [otherAdmin.userId, client.userId]);
    expect(await eventTypes(admin, start)).toEqual([]);
    expect(await eventTypes(otherAdmin, start)).toEqual(["assignment.changed"]);
  });

  it("an open stream follows a change of its user's role", async () => {
    const { token, userId } = await signIn(replica.database, "super_admin");
    await using client = await follow(replica.url, token);
    await replica.append(progress(1));
    await client.until(() => seen(client).length === 1);
    await replica.database.query("update users set role = 'admin' where id = $1", [userId]);
    await replica.append(progress(2), settingsChanged(false));
    await client.until(({ events }) => events.at(-1)?.event.type === "settings.changed");
    expect(seen(client)).toEqual([1]);
  });
});

async function insertHost(): Promise<string> {
  const [row] = await replica.database.query(
    `insert into hosts (id, ucloud_id, region, zone, name, cpu, memory, disk, os_name, os_type, status, provider_status, charge_type, ip_set, changed_at)
     values (gen_random_uuid(), 'uhost-1', 'cn-bj2', 'cn-bj2-02', '主机', 1, 1024, 20, '', '', 'Running', 'Running', 'Month', '[]', 1)
     returning id`,
  );
  return String(row?.id);
}
