import { randomBytes } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import { z } from "zod";
import type { Role } from "../../src/shared/roles.ts";
import type { SimulatorOptions } from "../../src/simulator/options.ts";
import { startSimulator } from "../../src/simulator/server.ts";
import { buildConfig, buildUser, type Team, twoAdmins } from "./data.ts";
import { insertRows, openTestDatabase, type TestDatabase } from "./database.ts";
import { assertOk, type RestClient, restClient } from "./rest.ts";
import { keepRoot, PASSWORD } from "./root-user.ts";
import { type StartOptions, startApp } from "./start-app.ts";

export interface Account extends RestClient {
  readonly id: string;
  readonly username: string;
}

interface AccountOptions {
  readonly username?: string;
  readonly adminId?: string | undefined;
}

type UseAppOptions = StartOptions & { readonly simulator?: SimulatorOptions };

let workerDatabase: Promise<TestDatabase> | undefined;

/** A server for the tests of a file or block; database and simulator are reset before each test. */
export function useApp(options: UseAppOptions = {}): TestApp {
  const app = new TestApp();
  let server: TestServer | undefined;

  beforeAll(async () => {
    server = await startTestServer(options);
  });
  beforeEach(async () => {
    if (server === undefined) throw new Error("the server did not start");
    server.simulator.control.reset();
    await server.database.clear();
    await server.restoreRoot();
    await app.open(server);
  });
  afterEach(() => app.close());
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]();
  });

  return app;
}

/**
 * `twoAdmins` before each test. They are made once for a file, by calls, and their rows are
 * restored then: sixteen calls fewer for a test.
 */
export function useTeam(app: TestApp): Team {
  let team: Team | undefined;
  let rows: MemberRows | undefined;
  const member = (name: keyof Team) => team?.[name] ?? outsideTests();

  beforeEach(async () => {
    if (rows !== undefined) return await restoreMembers(app, rows);

    team = await twoAdmins(app);
    rows = await readMembers(app);
  });

  return {
    get admin() {
      return member("admin");
    },
    get client() {
      return member("client");
    },
    get otherAdmin() {
      return member("otherAdmin");
    },
    get otherClient() {
      return member("otherClient");
    },
  };
}

const Rows = z.array(z.record(z.string(), z.unknown()));
const MemberRows = z.object({ users: Rows, sessions: Rows });
type MemberRows = z.infer<typeof MemberRows>;

/** All users but the first super admin, with their sessions. */
async function readMembers({ database, root }: TestApp): Promise<MemberRows> {
  const [found] = await database.query(
    `select
       (select jsonb_agg(to_jsonb(u)) from users u where id <> $1) as users,
       (select jsonb_agg(to_jsonb(s)) from sessions s where user_id <> $1) as sessions`,
    [root.id],
  );
  return MemberRows.parse(found);
}

async function restoreMembers({ database }: TestApp, { users, sessions }: MemberRows) {
  await insertRows(database, "users", users);
  await insertRows(database, "sessions", sessions);
}

type TestServer = Awaited<ReturnType<typeof startTestServer>>;

/** A server on this worker's emptied database, with `root` as its first super admin. */
export async function startTestServer(options: UseAppOptions) {
  await using resources = new AsyncDisposableStack();
  // One per worker process, closed with it.
  workerDatabase ??= openTestDatabase();
  const database = await workerDatabase;
  await database.clear();
  const simulator = resources.use(
    await startSimulator({ hosts: 60, seed: 7, regions: 4, projects: 2, ...options.simulator }),
  );
  const config = { providerAllowedOrigins: [simulator.url], ...options.config };
  const app = resources.use(await startApp(database.connection, { ...options, config }));
  const restoreRoot = await keepRoot(database);
  const started = resources.move();
  return {
    app,
    database,
    simulator,
    restoreRoot,
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  };
}

/** A running server with the calls and rows that tests begin with. */
export class TestApp {
  #server: TestServer | undefined;
  #root: Account | undefined;

  /** Takes this server and signs its first super admin in. */
  async open(server: TestServer): Promise<void> {
    this.#server = server;
    this.#root = await this.signIn("root");
  }

  close(): void {
    this.#server = undefined;
    this.#root = undefined;
  }

  get #running(): TestServer {
    return this.#server ?? outsideTests();
  }

  get url() {
    return this.#running.app.url;
  }

  /** The server's. */
  get orm() {
    return this.#running.app.orm;
  }

  get database() {
    return this.#running.database;
  }

  /** The simulated provider. */
  get simulator() {
    return this.#running.simulator;
  }

  /** REST without a session. */
  get anonymous(): RestClient {
    return restClient(this.url);
  }

  /** The first super admin, signed in. */
  get root(): Account {
    return this.#root ?? outsideTests();
  }

  async signIn(username: string, password = PASSWORD): Promise<Account> {
    const body = { username, password };
    const { data } = await assertOk(this.anonymous.post("/api/auth/login", body));

    return { ...restClient(this.url, data.token), id: String(data.user.id), username };
  }

  /** Creates a user with the role and signs in. */
  async account(role: Role, more: AccountOptions = {}): Promise<Account> {
    const username = more.username ?? `${role}_${randomBytes(4).toString("hex")}`;
    if (role === "super_admin") {
      await this.database.query(INSERT_SUPER_ADMIN, [username]);
    } else {
      const user = buildUser({ username, name: `${username}的姓名`, role, adminId: more.adminId });
      await assertOk(this.root.post("/api/users", user));
    }

    return await this.signIn(username);
  }

  /** Creates one for the simulator that, by default, is not synced by itself. Returns its id. */
  async config(more: object = {}): Promise<string> {
    const { publicKey, privateKey, url: apiUrl } = this.simulator;
    const provider = { publicKey, privateKey, apiUrl };
    const config = buildConfig({
      name: "测试配置",
      ...provider,
      syncIntervalMinutes: null,
      ...more,
    });
    const { data } = await assertOk(this.root.post("/api/hosts/configs", config));

    return String(data.id);
  }
}

function outsideTests(): never {
  throw new Error("the app runs only inside tests and hooks");
}

/** Copies the first super admin, as no call creates one. */
const INSERT_SUPER_ADMIN = `
  insert into users
    (id, username, password_hash, name, role, is_active, must_change_password, created_at)
  select gen_random_uuid(), $1, password_hash, $1, role, true, false, created_at
  from users where username = 'root'`;
