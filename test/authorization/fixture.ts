import type { AppOptions } from "../../src/server/app.ts";
import { insertSuperAdmin, PASSWORD, startTestServer, type TestServer } from "../harness/app.ts";
import { fixedClock } from "../harness/clocks.ts";
import { assertOk, type RestClient, restClient } from "../harness/rest.ts";
import { restoreSnapshot, type Snapshot, takeSnapshot } from "../harness/snapshot.ts";
import type { Dead, Live } from "./callers.ts";
import { endedTokens, expiredTokens, SESSION } from "./callers.ts";
import { KNOWN, makeRows, type RowName, type Rows } from "./rows.ts";

export interface Person extends RestClient {
  readonly id: string;
  readonly username: string;
  /** Ids of the current session and of another one. */
  readonly sessions: readonly [string, string];
}

/** A caller with a live session; the newcomer is a super admin who must change the password. */
export type Actor = Live | "newcomer";

/** Two admins with their clients and rows, and callers without a valid session, on a running server. */
export interface Fixture extends AsyncDisposable {
  readonly app: TestServer;
  readonly url: string;
  readonly people: Readonly<Record<Actor, Person>>;
  readonly deadTokens: Readonly<Record<Dead, string | null>>;
  readonly rows: Rows;
  readonly id: (row: RowName) => string;
  readonly now: () => number;
  /** Changes of the database and provider calls since the start. */
  effects(): Promise<Effects>;
  readonly untouched: Effects;
  /** Restores the initial rows. */
  restore(): Promise<void>;
}

export interface Effects extends Snapshot {
  readonly providerCalls: number;
}

const ROLES = {
  operator: "super_admin",
  newcomer: "super_admin",
  admin: "admin",
  otherAdmin: "admin",
  owner: "client",
  sibling: "client",
  stranger: "client",
} as const;

export async function buildFixture(overrides: Partial<AppOptions> = {}): Promise<Fixture> {
  await using resources = new AsyncDisposableStack();
  // A fixed clock, so no session expires on a slow machine; at the present, as the simulator uses it.
  const clock = fixedClock(Math.floor(Date.now() / 1000));
  const app = resources.use(
    await startTestServer({
      simulator: { hosts: 6, regions: 1, projects: 1 },
      config: { session: SESSION },
      overrides: { clock, ...overrides },
    }),
  );
  const { url } = app.app;
  const signInTo = (username: string) => signIn(url, username);
  const setup = { clock, superAdmin: (name: string) => insertSuperAdmin(app.database, name), signIn: signInTo };
  const expiredSessions = await expiredTokens(setup);
  // Otherwise the clean-up job may remove the expired counters during a comparison.
  await app.database.query("delete from login_failures");
  const deadTokens = { ...expiredSessions, ...(await endedTokens(setup)) };
  const root = await signInTo("root");
  const people = await makePeople(app, root);
  const rows = await makeRows({ app, root, people, now: clock.now });

  const initial = await takeSnapshot(app.database);
  const effects = async (): Promise<Effects> => {
    const { tables, newestEvent } = await takeSnapshot(app.database);
    // The use of a session and the clean-up of expired ones are no effects.
    const live = tables.sessions.filter(({ expires_at, last_used_at }) => {
      return Number(expires_at) > clock.now() && Number(last_used_at) > clock.now() - SESSION.idle;
    });
    const sessions = live.map(({ last_used_at: _, ...session }) => session);
    return { tables: { ...tables, sessions }, newestEvent, providerCalls: app.simulator.control.calls().total };
  };
  let untouched = await effects();
  const built = resources.move();
  return {
    app,
    url,
    now: clock.now,
    people,
    deadTokens,
    rows,
    id: (row) => rows[row].id,
    effects,
    get untouched() {
      return untouched;
    },
    async restore() {
      await restoreSnapshot(app.database, initial);
      untouched = await effects();
    },
    [Symbol.asyncDispose]: () => built.disposeAsync(),
  };
}

/** Text of rows outside the caller's scope, which no answer may contain. */
export function hiddenFrom({ rows }: Fixture, actor: Actor): string[] {
  if (actor === "operator" || actor === "newcomer") return [];
  const known: readonly string[] = KNOWN[actor];
  return Object.entries(rows).flatMap(([name, { canaries }]) => (known.includes(name) ? [] : canaries));
}

async function makePeople(app: TestServer, root: RestClient): Promise<Fixture["people"]> {
  const create = async (actor: keyof typeof ROLES, adminId?: string) => {
    // A text that answers do not contain otherwise.
    const username = `${actor}_q7z`;
    const user = { username, password: PASSWORD, name: `${username}的姓名`, role: ROLES[actor], adminId };
    if (user.role === "super_admin") await insertSuperAdmin(app.database, username);
    else await assertOk(root.post("/api/users", user));
    return await person(app, username);
  };
  const admin = await create("admin");
  const otherAdmin = await create("otherAdmin");
  const people = {
    operator: await create("operator"),
    newcomer: await create("newcomer"),
    admin,
    otherAdmin,
    owner: await create("owner", admin.id),
    sibling: await create("sibling", admin.id),
    stranger: await create("stranger", otherAdmin.id),
  };
  await app.database.query("update users set must_change_password = true where username = 'newcomer_q7z'");
  return people;
}

async function person({ app, database }: TestServer, username: string): Promise<Person> {
  const { id } = await signIn(app.url, username);
  const [spare] = await database.query("select id from sessions where user_id = $1", [id]);
  const own = await signIn(app.url, username);
  const [present] = await database.query("select id from sessions where user_id = $1 and id <> $2", [id, spare?.id]);
  return { ...own, username, sessions: [String(present?.id), String(spare?.id)] };
}

async function signIn(url: string, username: string): Promise<RestClient & { readonly id: string }> {
  const { data } = await assertOk(restClient(url).post("/api/auth/login", { username, password: PASSWORD }));
  return { ...restClient(url, data.token), id: String(data.user.id) };
}
