import { describe, expect } from "vitest";
import { useApp } from "../harness/app.ts";
import { insertHosts, insertRun, now } from "../harness/data.ts";
import { insertRows } from "../harness/database.ts";
import { holdLock, itOnPostgresql } from "../harness/hold-lock.ts";
import { sendImport } from "../harness/imports.ts";
import { assertOk, type RestAnswer } from "../harness/rest.ts";

const app = useApp();

interface TwoRows {
  /** Reads one row, by one parameter. */
  readonly select: string;
  readonly first: string;
  readonly second: string;
}

/**
 * The call waits for the first row, which another transaction holds. If it had locked the second
 * one before, that transaction could not lock it.
 */
async function expectFirstBeforeSecond(
  { select, first, second }: TwoRows,
  call: () => Promise<RestAnswer>,
): Promise<void> {
  await using other = await holdLock(app.database, `${select} for update`, [first]);

  const answer = call();
  await other.awaited();
  const locking = other.query(`${select} for update nowait`, [second]);

  await expect(locking).resolves.toHaveLength(1);
  await other.release();
  await assertOk(answer);
}

const HOST = "select from hosts where ucloud_id = $1";
const USER = "select from users where id = $1";

describe("of two hosts the one with the lower id of the provider is locked first", () => {
  itOnPostgresql("when their configuration is deleted", async () => {
    await app.config();
    const config = await app.config();
    await insertHosts(app, [
      { id: "0198a000-0000-7000-8000-000000000001", ucloud_id: "uhost-b", config_id: config },
      { id: "0198a000-0000-7000-8000-000000000002", ucloud_id: "uhost-a", config_id: config },
    ]);

    await expectFirstBeforeSecond({ select: HOST, first: "uhost-a", second: "uhost-b" }, () =>
      app.root.delete(`/api/hosts/configs/${config}`),
    );
  });

  itOnPostgresql("when both are refreshed during a run, and only the second changed", async () => {
    const config = await app.config();
    await app.root.post("/api/hosts/sync?wait=25");
    await app.database.query("update hosts set changed_at = changed_at - 100");
    await insertRun(app, config);
    const hosts = await app.database.query("select id, ucloud_id from hosts order by ucloud_id");
    const [first = "", second = ""] = [hosts.at(0), hosts.at(-1)].map((host) =>
      String(host?.ucloud_id),
    );
    app.simulator.control.updateHosts({ ids: [second] }, { Name: "改名后的主机" });
    const hostIds = [hosts.at(0)?.id, hosts.at(-1)?.id];

    await expectFirstBeforeSecond({ select: HOST, first, second }, () =>
      app.root.post("/api/hosts/batch", { operation: "sync", hostIds }),
    );
  });
});

describe("an import locks the rows of a portion in the order of all", () => {
  itOnPostgresql("clients by id, whatever the order of the file", async () => {
    const { first, second } = await adminOfTwo();
    await insertHosts(app, [{ ucloud_id: "uhost-a" }, { ucloud_id: "uhost-b" }]);
    const names = await app.database.query(
      "select username from users where id = any($1) order by id desc",
      [[first, second]],
    );
    const file = [
      ["主机", "用户名", "天数"],
      ["uhost-a", String(names[0]?.username), "30"],
      ["uhost-b", String(names[1]?.username), "30"],
    ];

    await expectFirstBeforeSecond({ select: USER, first, second }, () =>
      sendImport(app.root, { kind: "assignments", file }),
    );
  });

  itOnPostgresql("hosts by the id of the provider", async () => {
    const { username } = await app.account("client");
    await insertHosts(app, [{ ucloud_id: "uhost-b" }, { ucloud_id: "uhost-a" }]);
    const file = [
      ["主机", "用户名", "天数"],
      ["uhost-b", username, "30"],
      ["uhost-a", username, "30"],
    ];

    await expectFirstBeforeSecond({ select: HOST, first: "uhost-a", second: "uhost-b" }, () =>
      sendImport(app.root, { kind: "assignments", file }),
    );
  });
});

describe("of two clients the one with the lower id is locked first", () => {
  itOnPostgresql("when both lose their admin, who is deleted", async () => {
    const { admin, first, second } = await adminOfTwo();

    await expectFirstBeforeSecond({ select: USER, first, second }, () =>
      app.root.delete(`/api/users/${admin}`),
    );
  });

  itOnPostgresql("when both lose their admin, who is disabled", async () => {
    const { admin, first, second } = await adminOfTwo();

    await expectFirstBeforeSecond({ select: USER, first, second }, () =>
      app.root.put(`/api/users/${admin}`, { isActive: false }),
    );
  });
});

itOnPostgresql(
  "of two holders of a host the one with the lower id is locked first when it is taken back",
  async () => {
    const [hostId] = await insertHosts(app, [{ ucloud_id: "uhost-a" }]);
    const { id: first } = await app.account("client");
    const { id: second } = await app.account("client");
    for (const userId of [second, first]) {
      await assertOk(app.root.post("/api/hosts/assign", { hostId, userId, days: 30 }));
    }
    const select = "select from assignments where user_id = $1";

    await expectFirstBeforeSecond({ select, first, second }, () =>
      app.root.post("/api/hosts/batch", { operation: "unassign", hostIds: [hostId] }),
    );
  },
);

itOnPostgresql(
  "a reset locks the counters of failed sign-ins in the order of attempts",
  async () => {
    const { id, username } = await app.account("client");
    const first = `account:${username}`;
    const second = `pair:${username}@192.0.2.1`;
    await app.database.query("delete from login_failures");
    await insertRows(app.database, "login_failures", [
      { account_key: second, window_started_at: now(), failures: 1 },
      { account_key: first, window_started_at: now(), failures: 1 },
    ]);
    const select = "select from login_failures where account_key = $1";

    await expectFirstBeforeSecond({ select, first, second }, () =>
      app.root.post(`/api/users/${id}/reset-password`),
    );
  },
);

/** Ids of an admin and two clients, the lower one first. Their rows lie in the other order. */
async function adminOfTwo() {
  const { id: admin } = await app.account("admin");
  const { id: first } = await app.account("client", { adminId: admin });
  const { id: second } = await app.account("client", { adminId: admin });

  const firstStored = "select id from users where admin_id = $1 order by ctid limit 1";
  const isFirst = async () => (await app.database.query(firstStored, [admin]))[0]?.id === first;
  while (await isFirst()) {
    await app.database.query("update users set admin_id = null where id = $1", [first]);
    await app.database.query("update users set admin_id = $2 where id = $1", [first, admin]);
  }
  return { admin, first, second };
}
