import { setTimeout as sleep } from "node:timers/promises";
import { Pool } from "undici";
import { percentile } from "./figure.ts";
import { addUsers, type Installation } from "./installation.ts";

const CALLERS = 10;
/** Not counted. */
const WARM_UP_MS = 1_000;
/** Requests of each kind, before they repeat. */
const VARIANTS = 1_000;
const CLIENTS = 30;
const HOSTS_OF_CLIENT = 30;
const LIST = "/api/hosts?limit=20";

export interface ListRequest {
  readonly path: string;
  readonly token: string;
  /** Id of the client who sends it. */
  readonly userId?: string;
}

/**
 * Ten callers send GET requests until the signal: `rate` a second, each timed from when it was due,
 * or else as many as they can. Throws unless all return 200. `p95` in ms.
 */
export async function load(
  url: string,
  requests: readonly ListRequest[],
  signal: AbortSignal,
  rate?: number,
) {
  const pool = new Pool(url, { connections: CALLERS });
  const startedAt = performance.now();
  let endedAt = Number.POSITIVE_INFINITY;
  signal.addEventListener("abort", () => {
    endedAt = performance.now();
  });
  const times: number[] = [];
  let sent = 0;

  async function keepSending(caller: number): Promise<void> {
    for (let round = 0; ; round++) {
      const dueAt =
        rate === undefined
          ? performance.now()
          : startedAt + ((round * CALLERS + caller) * 1000) / rate;
      if (dueAt > performance.now()) await sleep(dueAt - performance.now());
      const request = requests[sent++ % requests.length];
      if (request === undefined || dueAt >= endedAt) return;
      const { path, token } = request;
      const headers = { authorization: `Bearer ${token}` };
      const { statusCode, body } = await pool.request({ method: "GET", path, headers });
      await body.arrayBuffer();
      if (statusCode !== 200) throw new Error(`${url}${path} returned ${statusCode}`);
      if (dueAt >= startedAt + WARM_UP_MS) times.push(performance.now() - dueAt);
    }
  }

  try {
    await Promise.all(Array.from({ length: CALLERS }, (_, caller) => keepSending(caller)));
    const seconds = (performance.now() - startedAt - WARM_UP_MS) / 1000;
    return { perSecond: times.length / seconds, p95: percentile(times, 0.95) };
  } finally {
    await pool.destroy();
  }
}

/** Twenty pages from this one, in random order. */
export function pageRequests(token: string, first = 1): readonly ListRequest[] {
  const pages = Array.from({ length: VARIANTS }, () => first + Math.floor(Math.random() * 20));
  return pages.map((page) => ({ path: `${LIST}&page=${page}`, token }));
}

/**
 * Random requests for lists of a synced installation: pages, parts of names, and lists of 30 new
 * clients with 30 hosts each.
 */
export async function createListRequests(installation: Installation) {
  const { database, token } = installation;
  await addUsers(installation, CLIENTS, "client");
  await database.query(
    `insert into assignments (id, host_id, user_id, user_name, user_username, assigned_at, assigned_expire_time,
       assigned_by, assigned_by_name, created_at)
     select gen_random_uuid(), h.id, u.id, u.name, u.username, 1700000000, 4000000000, u.id, '', 1700000000
     from (select id, (row_number() over (order by random()) - 1) / ${HOSTS_OF_CLIENT} as n from hosts) h
     join (select *, row_number() over () - 1 as n from users where role = 'client') u using (n)`,
  );
  await database.query("vacuum analyze");
  const parts = await database.query(
    `select substr(name, 1 + floor(random() * (length(name) - 6))::int, 4 + floor(random() * 3)::int) as part
     from hosts where length(name) > 8 order by random() limit ${VARIANTS}`,
  );
  const clients = await database.query(
    `select id, 'token-' || substr(username, 5) as token from users, generate_series(1, ${VARIANTS / CLIENTS})
     where role = 'client' order by random()`,
  );
  return {
    page: pageRequests(token),
    latePage: pageRequests(token, 391),
    search: parts.map(({ part }) => ({
      path: `${LIST}&search=${encodeURIComponent(String(part))}`,
      token,
    })),
    client: clients.map(({ id, token }) => ({
      path: LIST,
      token: String(token),
      userId: String(id),
    })),
  };
}
