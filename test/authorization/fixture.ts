import type { AppOptions } from "../../src/server/app.ts";
import type { Role } from "../../src/shared/roles.ts";
import { type Account, startTestServer, TestApp } from "../harness/app.ts";
import { fixedClock } from "../harness/clocks.ts";
import {
  readNewestEvent,
  restoreSnapshot,
  rowsOf,
  takeSnapshot,
  WITHOUT_AUDIT,
} from "../harness/snapshot.ts";
import { type Live, makeTokensWithoutSession, SESSION, type WithoutSession } from "./callers.ts";
import { makeRows, type RowName, VISIBLE_ROWS } from "./rows.ts";

export interface Person extends Account {
  /** Ids of the current session and of another one. */
  readonly sessions: readonly string[];
}

/** A caller with a live session; the newcomer is a super admin who must change the password. */
export type Actor = Live | "newcomer";

/**
 * Two admins with their clients and rows, and callers without a valid session, on a running server.
 */
export type Fixture = Awaited<ReturnType<typeof buildFixture>>;

export async function buildFixture(overrides: Partial<AppOptions> = {}) {
  await using resources = new AsyncDisposableStack();
  // A fixed clock, so no session expires on a slow machine; at the present, as the simulator uses
  // it.
  const clock = fixedClock(Math.floor(Date.now() / 1000));
  const small = { simulator: { hosts: 7, regions: 1, projects: 1 }, config: { session: SESSION } };
  const server = resources.use(
    await startTestServer({ ...small, overrides: { clock, ...overrides } }),
  );
  const { database, simulator } = server;
  const app = new TestApp();
  await app.open(server);
  const tokensWithoutSession = await makeTokensWithoutSession(app, clock.now());
  const people = await makePeople(app);
  const rows = await makeRows(app, people, clock.now());
  // Otherwise the clean-up job may remove the expired counters during a comparison.
  await database.query("delete from login_failures");

  const initial = await takeSnapshot(database);
  /**
   * Changes of the database and provider calls since the start. That calls are recorded, also those
   * that are refused, is no effect.
   */
  const effects = async () => {
    const { tables, newestEvent } = await takeSnapshot(database, WITHOUT_AUDIT);
    // The use of a session and the clean-up of expired ones are no effects.
    const live = rowsOf({ tables }, "sessions").filter(({ expires_at, last_used_at }) => {
      return Number(expires_at) > clock.now() && Number(last_used_at) > clock.now() - SESSION.idle;
    });
    const sessions = live.map(({ last_used_at: _, ...session }) => session);
    return {
      tables: { ...tables, sessions },
      newestEvent,
      providerCalls: simulator.control.calls().total,
    };
  };
  let untouched = await effects();
  const row = (name: RowName) => rows.get(name) ?? fail(name);
  const built = resources.move();
  return {
    app,
    url: app.url,
    now: clock.now,
    people,
    tokenWithoutSession: (caller: WithoutSession) => tokensWithoutSession[caller],
    rows,
    row,
    id: (name: RowName) => row(name).id,
    effects,
    get untouched() {
      return untouched;
    },
    /** Restores the initial rows. What was published and called since stays. */
    async restore() {
      await restoreSnapshot(database, initial);
      untouched = {
        ...untouched,
        newestEvent: await readNewestEvent(database),
        providerCalls: simulator.control.calls().total,
      };
    },
    [Symbol.asyncDispose]: () => built.disposeAsync(),
  };
}

/** Text of rows outside the caller's scope, which no answer may contain. */
export function hiddenFrom({ rows }: Fixture, actor: Actor): string[] {
  if (actor === "superAdmin" || actor === "newcomer") return [];
  return [...rows].flatMap(([name, { markers }]) =>
    VISIBLE_ROWS[actor].includes(name) ? [] : markers,
  );
}

async function makePeople(app: TestApp): Promise<Readonly<Record<Actor, Person>>> {
  const { database } = app;

  async function create(actor: Actor, role: Role, admin?: Person): Promise<Person> {
    // A text that answers do not contain otherwise.
    const { username } = await app.account(role, { username: `q7z_${actor}`, adminId: admin?.id });
    const own = await app.signIn(username);
    const sessions = await database.query(
      "select id from sessions where user_id = $1 order by id desc",
      [own.id],
    );
    return { ...own, sessions: sessions.map(({ id }) => String(id)) };
  }

  const admin = await create("admin", "admin");
  const otherAdmin = await create("otherAdmin", "admin");
  const people = {
    superAdmin: await create("superAdmin", "super_admin"),
    newcomer: await create("newcomer", "super_admin"),
    admin,
    otherAdmin,
    client: await create("client", "client", admin),
    sibling: await create("sibling", "client", admin),
    otherClient: await create("otherClient", "client", otherAdmin),
  };
  await database.query(
    "update users set email = username || '@example.com', phone = '13800138000' where role <> 'super_admin'",
  );
  await database.query("update users set must_change_password = true where id = $1", [
    people.newcomer.id,
  ]);
  return people;
}

function fail(name: string): never {
  throw new Error(`there is no ${name}`);
}
