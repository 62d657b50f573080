import { assertOk } from "../harness/answers.ts";
import { PASSWORD } from "../harness/app.ts";
import { fixedClock } from "../harness/fixed-clock.ts";
import { type RestClient, restClient } from "../harness/rest.ts";
import type { Dead, Live } from "./callers.ts";
import { endedTokens, expiredTokens, SESSION } from "./callers.ts";
import { KNOWN, makeRows, type RowName, type Rows } from "./rows.ts";
import { type Server, startServer } from "./server.ts";
import { effectsIn, restoreSnapshot, takeSnapshot } from "./snapshot.ts";

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
  readonly app: Server;
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

export type Effects = ReturnType<typeof effectsIn> & { readonly providerCalls: number };

const ROLES = {
  operator: "super_admin",
  newcomer: "super_admin",
  admin: "admin",
  otherAdmin: "admin",
  owner: "client",
  sibling: "client",
  stranger: "client",
} as const;

export async function buildFixture(): Promise<Fixture> {
  await using resources = new AsyncDisposableStack();
  // A fixed clock, so no session expires on a slow machine; at the present, as the simulator uses it.
  const clock = fixedClock(Math.floor(Date.now() / 1000));
  const env = { SESSION_TTL_HOURS: String(SESSION.ttl / 3600), SESSION_IDLE_MINUTES: String(SESSION.idle / 60) };
  const app = resources.use(await startServer(clock, env));
  const setup = { clock, superAdmin: superAdminMaker(app), signIn: (username: string) => signIn(app, username) };
  const expiredSessions = await expiredTokens(setup);
  // Otherwise the clean-up job may remove the expired counters during a comparison.
  await app.database.query("delete from login_failures");
  const deadTokens = { ...expiredSessions, ...(await endedTokens(setup)) };
  const root = await signIn(app, "root");
  const people = await makePeople(app, root);
  const rows = await makeRows({ app, root, people, now: clock.now });

  const initial = await takeSnapshot(app.database);
  const effects = async (): Promise<Effects> => {
    const isDead = (session: Readonly<Record<string, unknown>>) =>
      Number(session.expires_at) <= clock.now() || Number(session.last_used_at) <= clock.now() - SESSION.idle;
    const found = effectsIn(await takeSnapshot(app.database), isDead);
    return { ...found, providerCalls: app.simulator.control.calls().total };
  };
  let untouched = await effects();
  const built = resources.move();
  return {
    app,
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

async function makePeople(app: Server, root: RestClient): Promise<Fixture["people"]> {
  const create = async (actor: keyof typeof ROLES, adminId?: string) => {
    // A text that answers do not contain otherwise.
    const username = `${actor}_q7z`;
    const user = { username, password: PASSWORD, name: `${username}的姓名`, role: ROLES[actor], adminId };
    if (user.role === "super_admin") await superAdminMaker(app)(username);
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

async function person(app: Server, username: string): Promise<Person> {
  const other = await signIn(app, username);
  const [spare] = await app.database.query("select id from sessions where user_id = $1", [other.id]);
  const own = await signIn(app, username);
  const [present] = await app.database.query("select id from sessions where user_id = $1 and id <> $2", [
    own.id,
    spare?.id,
  ]);
  return { ...own, username, sessions: [String(present?.id), String(spare?.id)] };
}

async function signIn({ url }: Server, username: string): Promise<RestClient & { readonly id: string }> {
  const { data } = await assertOk(restClient(url).post("/api/auth/login", { username, password: PASSWORD }));
  return { ...restClient(url, data.token), id: String(data.user.id) };
}

/** Copies the first super admin, as no call creates one. */
function superAdminMaker({ database }: Server) {
  return async (username: string): Promise<void> => {
    await database.query(
      `insert into users (id, username, password_hash, name, role, created_at)
       select gen_random_uuid(), $1, password_hash, $1, role, created_at from users where username = 'root'`,
      [username],
    );
  };
}
