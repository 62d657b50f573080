import { randomBytes } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import type { Role } from "../../src/shared/roles.ts";
import type { SimulatorOptions } from "../../src/simulator/options.ts";
import { startSimulator } from "../../src/simulator/server.ts";
import { type Team, twoAdmins } from "./data.ts";
import { openTestDatabase, type TestDatabase } from "./database.ts";
import { assertOk, type RestClient, restClient } from "./rest.ts";
import { PASSWORD } from "./root-user.ts";
import { type StartOptions, startApp } from "./start-app.ts";

export interface Account extends RestClient {
  readonly id: string;
  readonly username: string;
}

export type TestApp = Awaited<ReturnType<typeof buildTestApp>>;

type UseAppOptions = StartOptions & { readonly simulator?: SimulatorOptions };

let workerDatabase: Promise<TestDatabase> | undefined;

/** A server for the tests of a file or block; database and simulator are reset before each test. */
export function useApp(options: UseAppOptions = {}): TestApp {
  let server: TestServer | undefined;
  let current: TestApp | undefined;

  beforeAll(async () => {
    server = await startTestServer(options);
  });
  beforeEach(async () => {
    if (server === undefined) throw new Error("the server did not start");
    server.simulator.control.reset();
    await server.database.clear();
    await server.restoreRoot();
    current = await buildTestApp(server);
  });
  afterEach(() => {
    current = undefined;
  });
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]();
  });

  return new Proxy<TestApp>(Object.create(null), {
    get(_target, property) {
      if (current === undefined) throw new Error("the app runs only inside tests and hooks");
      return Reflect.get(current, property);
    },
  });
}

/** `twoAdmins`, anew before each test. */
export function useTeam(app: TestApp): Team {
  const team: Team = Object.create(null);
  beforeEach(async () => void Object.assign(team, await twoAdmins(app)));
  return team;
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
  const [root] = await database.query(
    "select to_jsonb(u) as row from users u where username = 'root'",
  );
  const started = resources.move();
  return {
    app,
    database,
    simulator,
    /** Restores the first super admin after the tables were emptied. */
    async restoreRoot() {
      await database.query(
        "insert into users select * from jsonb_populate_record(null::users, $1)",
        [root?.row],
      );
    },
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  };
}

/** Calls and rows that tests begin with, on a running server. */
export async function buildTestApp({ app, database, simulator }: TestServer) {
  const anonymous = restClient(app.url);
  const signIn = async (username: string, password = PASSWORD): Promise<Account> => {
    const { data } = await assertOk(anonymous.post("/api/auth/login", { username, password }));
    return { ...restClient(app.url, data.token), id: String(data.user.id), username };
  };
  const root = await signIn("root");
  return {
    url: app.url,
    /** The server's. */
    orm: app.orm,
    database,
    /** The simulated provider. */
    simulator,
    /** REST without a session. */
    anonymous,
    /** The first super admin, signed in. */
    root,
    signIn,
    /** Creates a user with the role and signs in. */
    async account(
      role: Role,
      more: { username?: string; adminId?: string | undefined } = {},
    ): Promise<Account> {
      const username = more.username ?? `${role}_${randomBytes(4).toString("hex")}`;
      if (role === "super_admin") await database.query(INSERT_SUPER_ADMIN, [username]);
      else {
        const user = {
          username,
          password: PASSWORD,
          name: `${username}的姓名`,
          role,
          adminId: more.adminId,
        };
        await assertOk(root.post("/api/users", user));
      }
      return signIn(username);
    },
    /** Creates a configuration for the simulator and returns its id. */
    async config(more: Record<string, unknown> = {}): Promise<string> {
      const { publicKey, privateKey, url: apiUrl } = simulator;
      const config = {
        name: "测试配置",
        publicKey,
        privateKey,
        apiUrl,
        defaultRegion: "cn-bj2",
        ...more,
      };
      const { data } = await assertOk(root.post("/api/hosts/configs", config));
      return String(data.id);
    },
  };
}

/** Copies the first super admin, as no call creates one. */
const INSERT_SUPER_ADMIN = `
  insert into users (id, username, password_hash, name, role, is_active, must_change_password, created_at)
  select gen_random_uuid(), $1, password_hash, $1, role, true, false, created_at from users where username = 'root'`;
