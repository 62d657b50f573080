import { sql } from "kysely";
import { describe, expect, it, onTestFinished } from "vitest";
import { listHosts } from "../../src/server/modules/hosts/queries.ts";
import { systemClock } from "../../src/server/platform/clock.ts";
import { prepared } from "../../src/server/platform/database/prepared.ts";
import { ListHostsInput } from "../../src/shared/hosts.ts";
import { useApp, useTeam } from "../harness/app.ts";
import { assign, insertHost, insertHosts, MISSING } from "../harness/data.ts";
import { HAS_CONCURRENT_SESSIONS } from "../harness/database.ts";
import { assertOk, restClient } from "../harness/rest.ts";
import { PASSWORD } from "../harness/root-user.ts";
import { startApp } from "../harness/start-app.ts";

/** More than a server has connections. */
const CALLERS = 30;

const app = useApp();
const team = useTeam(app);

describe("a list without a filter", () => {
  it.each(["super admin", "admin", "client"] as const)(
    "has the pages that any filter would give to a %s",
    async (who) => {
      const caller = who === "super admin" ? app.root : team[who];
      const hosts = await insertHosts(
        app,
        ["丙", "甲", "乙10", "乙9", "web"].map((name) => ({ name })),
      );
      for (const hostId of hosts.slice(1)) await assign(app, hostId, team.client.id);

      for (const page of [1, 2, 3, 4]) {
        const plain = await caller.get(`/api/hosts?limit=2&page=${page}`);
        // Nothing to search for finds everything.
        const filtered = await caller.get(`/api/hosts?limit=2&page=${page}&search=`);

        expect(plain.data).toEqual(filtered.data);
        expect(plain.data.pagination.total).toBe(who === "super admin" ? 5 : 4);
      }
    },
  );

  it("is empty for a client who has no host", async () => {
    const { data } = await team.client.get("/api/hosts");

    expect(data).toEqual({
      hosts: [],
      pagination: { page: 1, limit: 20, total: 0, totalPages: 0 },
    });
  });
});

describe("a prepared statement", () => {
  it("does not calculate with its values", async () => {
    const readLater = prepared((db, { now }: { readonly now: number }) =>
      db
        .selectFrom("users as u")
        .select("u.id")
        .where("u.createdAt", ">", now + 60),
    );

    await expect(readLater(app.orm.em.fork(), { now: 1 })).rejects.toThrow(
      "now: the values of a prepared statement are known to the database alone",
    );
  });
});

/** The embedded database has one session for all connections, so nothing is named there. */
describe.skipIf(!HAS_CONCURRENT_SESSIONS)("named statements", () => {
  it("read callers and the rows of lists, column by column", async () => {
    const replica = await startReplica();
    await replica.readLists();

    const statements = await replica.namedStatements();

    expect(statements).toContainEqual(expect.stringContaining('from "sessions" as "s"'));
    expect(statements).toContainEqual(expect.stringContaining('from "hosts" as "h"'));
    const columns = statements.map((text) => text.replaceAll("count(*)", ""));
    expect(columns.filter((text) => text.includes("*"))).toEqual([]);
  });

  it("are known to each connection by itself", async () => {
    const replica = await startReplica();

    expect(await replica.readLists()).toEqual([200]);
    expect(await replica.readLists()).toEqual([200]);
  });

  it("go on when another replica adds a column", async () => {
    const replica = await startReplica();
    await replica.readLists();

    await migrateUntilEnd(
      "alter table hosts add column of_next_version text",
      "alter table hosts drop column of_next_version",
    );

    expect(await replica.readLists()).toEqual([200]);
    expect(await replica.namedStatements()).not.toEqual([]);
  });

  it("are sent without a name once the type of a column is another", async () => {
    const replica = await startReplica();
    await replica.readLists();

    await migrateUntilEnd(
      "alter table users alter name type varchar(500)",
      "alter table users alter name type text",
    );

    expect(await replica.readLists()).toEqual([200]);
  });

  it("are sent without a name once their session does not know it", async () => {
    const replica = await startReplica();
    await replica.readLists();

    await replica.onEveryConnection("deallocate all");

    expect(await replica.readLists()).toEqual([200]);
  });

  it("have no name in a transaction, which a refusal would end", async () => {
    const { orm } = await startReplica();
    const transaction = orm.em.fork().getKysely().transaction();

    const pages = await transaction.execute(async (context) => {
      const em = orm.em.fork();
      em.setTransactionContext(context);
      const list = () => listHosts({ em, clock: systemClock }, ROOT, ListHostsInput.parse({}));

      const before = await list();
      await sql`deallocate all`.execute(context);
      return [before, await list()];
    });

    expect(pages.map(({ pagination }) => pagination.total)).toEqual([1, 1]);
  });
});

/** As a replica of another version would. */
async function migrateUntilEnd(change: string, undo: string): Promise<void> {
  const { database } = app;
  onTestFinished(async () => {
    await database.query(undo);
  });
  await database.query(change);
}

/** A super admin; lists ask for nothing else. */
const ROOT = {
  id: MISSING,
  credentialId: MISSING,
  token: null,
  username: "root",
  name: "",
  role: "super_admin",
  mustChangePassword: false,
  lacksSecondFactor: false,
} as const;

/** A server with connections of its own, until the end of the test, on a database with one host. */
async function startReplica() {
  await insertHost(app);
  const { url, orm, ...server } = await startApp(app.database.connection);
  onTestFinished(() => server[Symbol.asyncDispose]());
  const credentials = { username: app.root.username, password: PASSWORD };
  const { data } = await assertOk(restClient(url).post("/api/auth/login", credentials));
  const root = restClient(url, data.token);

  async function onEveryConnection(statement: string) {
    const pool = await orm.driver.getConnection().getNativeClient();
    const all = Array.from({ length: pool.options.max }, () => pool.connect());
    const clients = await Promise.all(all);
    const answers = await Promise.all(clients.map((client) => client.query(statement)));
    for (const client of clients) client.release();
    return answers.flatMap(({ rows }) => rows);
  }

  return {
    orm,
    onEveryConnection,
    /** By many callers at once, so that every connection is used: their different statuses. */
    async readLists(): Promise<number[]> {
      const answers = await Promise.all(
        Array.from({ length: CALLERS }, () => root.get("/api/hosts")),
      );
      return [...new Set(answers.map(({ status }) => status))];
    },
    async namedStatements(): Promise<string[]> {
      const rows = await onEveryConnection("select statement from pg_prepared_statements");
      return rows.map(({ statement }) => String(statement));
    },
  };
}
