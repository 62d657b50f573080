import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DAY_SECONDS } from "../../../src/shared/time.ts";
import { isPostgreSqlInstalled, type PostgreSqlNode, startNode } from "../../harness/postgresql.ts";
import {
  listening,
  type ServerProgram,
  startProvider,
  startServerProcess,
} from "../../harness/programs.ts";
import { assertOk, type RestClient, restClient } from "../../harness/rest.ts";
import { ROOT_ENV } from "../../harness/root-user.ts";
import { ROUNDS_LIMIT, rounds } from "../../harness/rounds.ts";
import { configure, signIn, syncAll } from "../../harness/server-fixture.ts";
import { ENCRYPTION_KEY } from "../../harness/storage.ts";
import { proxyUrl } from "../../harness/tcp-proxy.ts";
import { within } from "../../harness/time-limits.ts";
import { type Client, Load } from "./load.ts";

/** Callers give up after 30 s. */
const LONGEST_CALL_MS = 28_000;
/** Of a frozen node, whose connections are given up after 18 s. */
const RECOVERY_MS = 30_000;
const HOSTS = 3_000;
const CLIENTS = rounds(20, 5);
/** More than the pool has connections. */
const BURST = 15;
/** Acts by which the load shows that none is lost. */
const ENOUGH = { assigned: 100, renewed: 30 };
const LOAD_LIMIT_MS = 60_000;
const PASSWORD = "Correct2Horse";

/** Each takes the primary away and promotes its standby, to which the address then leads. */
const FAILOVERS: Readonly<Record<string, (cluster: Cluster) => Promise<void>>> = {
  async "is killed"({ primary, standby, pointTo }) {
    await primary.kill();
    await standby.promote();
    pointTo(standby);
  },
  async "freezes, and its connections stay"({ primary, standby, pointTo }) {
    primary.freeze();
    await sleep(1_000);
    await standby.promote();
    pointTo(standby);
  },
  async "is demoted, and its connections stay"({ primary, standby, pointTo }) {
    await primary.makeReadOnly();
    await standby.promote();
    pointTo(standby);
  },
  async "is stopped, and is a standby while the address still leads to it"(cluster) {
    const { primary, standby, pointTo } = cluster;
    await primary.stop();
    await standby.promote();
    await primary.rejoin(standby);
    await sleep(1_500);
    pointTo(standby);
  },
};

interface Cluster {
  readonly primary: PostgreSqlNode;
  readonly standby: PostgreSqlNode;
  readonly pointTo: (node: PostgreSqlNode) => void;
}

/** Each story leaves both replicas well, with the promoted node, and the next one goes on. */
describe.skipIf(!isPostgreSqlInstalled())("when the primary of a replicated pair", () => {
  let resources: AsyncDisposableStack;
  let proxy: Awaited<ReturnType<typeof proxyUrl>>;
  let primary: PostgreSqlNode;
  let replicas: ServerProgram[];
  let root: RestClient;
  let load: Load;

  beforeAll(async () => {
    resources = new AsyncDisposableStack();
    primary = await startNode(resources);
    proxy = resources.use(await proxyUrl(primary.url));
    const provider = resources.use(await startProvider(["--hosts", String(HOSTS), "--seed", "7"]));
    const settings = {
      ...ROOT_ENV,
      DATABASE_URL: proxy.url,
      ENCRYPTION_KEY,
      PROVIDER_ALLOWED_ORIGINS: provider.url,
      LOG_LEVEL: "warn",
    };
    const start = async () => resources.use(await listening(startServerProcess(settings)));
    replicas = [await start(), await start()];
    const urls = replicas.map(({ url }) => url);

    root = await signIn(urls[0] ?? "");
    await configure(root, provider, { syncIntervalMinutes: null });
    await syncAll(root);
    load = new Load({
      urls,
      root,
      visitor: await createVisitor(),
      clients: await createClients(urls[0] ?? ""),
      hostIds: (await primary.query("select id from hosts")).map(({ id }) => String(id)),
    });
  });

  afterAll(async () => {
    await load?.stop();
    await resources?.disposeAsync();
  });

  const stories = Object.entries(FAILOVERS).flatMap(([how, failOver]) =>
    Array.from({ length: rounds(5, 1) }, (_, round) => ({ how, failOver, round })),
  );
  test.each(stories)(
    "$how, both replicas go on by themselves ($round)",
    { timeout: ROUNDS_LIMIT },
    async ({ failOver }) => {
      const standby = await startNode(resources, { primary });
      await primary.waitForStandby();
      const former = primary;

      await failOver({ primary, standby, pointTo: ({ url }) => proxy.pointTo(url) });
      const switchedAt = performance.now();
      primary = standby;

      await expect
        .poll(() => [...load.problems, ...load.failingSince(switchedAt)], {
          timeout: within(RECOVERY_MS),
        })
        .toEqual([]);
      await expect
        .poll(async () => [await burst(), await burst()], { timeout: within(RECOVERY_MS) })
        .toEqual([[200], [200]]);
      expect(load.takeLongestMs()).toBeLessThan(within(LONGEST_CALL_MS));
      await former.kill();
    },
  );

  test("in any of these ways, every acknowledged act is there once, and none was missed", async () => {
    expect(load.problems).toEqual([]);
    await expect.poll(hasDoneEnough, { timeout: within(LOAD_LIMIT_MS) }).toBe(true);
    await load.stop();

    const rows = await primary.query(
      `select a.host_id as "hostId", a.assigned_expire_time::int as "end",
         (select count(*)::int from renewals r
          where r.assignment_id = a.id and r.status = 'completed') as renewals,
         (select count(*)::int from renewals r where r.assignment_id = a.id) as requests
       from assignments a where a.ended_at is null`,
    );
    const stored = rows.filter(({ hostId }) =>
      load.assigned.some((acknowledged) => acknowledged.hostId === hostId),
    );
    const expected = load.assigned.map(({ hostId, end, isRenewed }) => {
      const days = isRenewed ? 30 : 0;
      const renewals = isRenewed ? 1 : 0;
      return { hostId, end: end + days * DAY_SECONDS, renewals, requests: renewals };
    });
    expect(stored.toSorted(byHost)).toEqual(expected.toSorted(byHost));
    expect(load.problems).toEqual([]);
    expect(load.missed()).toEqual([]);
  });

  function hasDoneEnough(): boolean {
    const renewed = load.assigned.filter(({ isRenewed }) => isRenewed);
    return load.assigned.length > ENOUGH.assigned && renewed.length > ENOUGH.renewed;
  }

  /** The different statuses of `/readyz` and of many changes, at both replicas. */
  async function burst(): Promise<number[]> {
    const write = { show_network_info_to_client: true };
    const calls = replicas.flatMap(({ url }) => [
      fetch(`${url}/readyz`),
      ...Array.from({ length: BURST }, () =>
        restClient(url, root.token).put("/api/system-config", write),
      ),
    ]);
    const answers = await Promise.all(calls);
    return [...new Set(answers.map(({ status }) => status))];
  }

  async function createUser(username: string, role: "admin" | "client") {
    const user = { username, password: PASSWORD, name: username, role };
    const { data } = await assertOk(root.post("/api/users", user));
    return String(data.id);
  }

  async function createVisitor() {
    const visitor = { username: "visitor", password: PASSWORD };
    await createUser(visitor.username, "admin");
    return visitor;
  }

  async function createClients(url: string): Promise<Client[]> {
    const clients: Client[] = [];
    for (let n = 0; n < CLIENTS; n++) {
      const username = `kehu${n}`;
      const id = await createUser(username, "client");
      clients.push({ ...(await signIn(url, { username, password: PASSWORD })), id });
    }
    return clients;
  }
});

function byHost(one: Record<string, unknown>, other: Record<string, unknown>): number {
  return String(one.hostId).localeCompare(String(other.hostId));
}
