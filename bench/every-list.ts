import type { Bench } from "./harness/bench.ts";
import { type Figure, figure, percentile } from "./harness/figure.ts";
import { startInstallation } from "./harness/installation.ts";
import { fillDatabase } from "./harness/large-data.ts";

const CALLS = 20;
/** A list that takes longer than this for its calls is judged by fewer. */
const MAX_MS = 6_000;
const BAR_MS = 300;
const READERS = 40;
const READERS_MS = 15_000;

interface List {
  readonly name: string;
  readonly path: string;
  readonly token: string;
}

interface Target {
  readonly url: string;
  readonly lists: readonly List[];
}

/**
 * Every list, count, summary, sort and filter that the console offers, with 1,000,000 renewals,
 * 100,000 hosts and 2,000 users, asked by one caller after the other. With BASELINE, the directory
 * of an older version with its modules, the same is asked of that version in turns, on a database
 * of its own that only it has migrated.
 */
export async function everyList(bench: Bench, stack: AsyncDisposableStack): Promise<Figure[]> {
  const product = await startTarget(bench, stack);
  const baseline = process.env.BASELINE;
  const before = baseline === undefined ? null : await startTarget(bench, stack, baseline);
  const figures: Figure[] = [];
  const slowest = new Map<string, number>();

  for (const [index, list] of product.lists.entries()) {
    const measured = await measure(product.url, list);
    const earlier = before?.lists[index];
    const comparison =
      before === null || earlier === undefined
        ? {}
        : { reference: ["before", await measure(before.url, earlier)] as const };
    const line = figure(`p95 of ${list.name}`, measured, "ms", comparison);
    console.error(line.slice(0, 3).join(" | "));
    figures.push(line);

    const group = list.name.split(":")[0] ?? "";
    slowest.set(group, Math.max(slowest.get(group) ?? 0, measured));
  }
  for (const [group, p95] of slowest) {
    figures.push(figure(`slowest p95 of the ${group}`, p95, "ms", { bar: BAR_MS }));
  }
  figures.push(...(await readAtOnce(product)));
  if (before !== null)
    figures.push(
      ...(await readAtOnce(before)).map(([name, ...cells]) => [`${name}, before`, ...cells]),
    );
  return figures;
}

async function startTarget(
  bench: Bench,
  stack: AsyncDisposableStack,
  cwd?: string,
): Promise<Target> {
  const { database, url, token } = await startInstallation(stack, bench, 1, 0, cwd);
  await fillDatabase(database);
  const [ids] = await database.query(`
    select (select id from configs) as config,
      (select id from users where username = 'zhang_5') as client`);
  return {
    url,
    lists: listsOf(token, { config: String(ids?.config), client: String(ids?.client) }),
  };
}

const SORTS = [
  "name",
  "status",
  "zone",
  "cpu",
  "memory",
  "disk",
  "createTime",
  "expireTime",
  "assignedExpireTime",
];
/**
 * Of twenty rows each: in the middle and at the end of 99,000 present hosts and of 1,000,000
 * renewals.
 */
const HOST_PAGES = { first: 1, middle: 2_475, last: 4_950 } as const;
const RENEWAL_PAGES = { first: 1, middle: 25_000, last: 50_000 } as const;

function listsOf(
  root: string,
  { config, client }: { readonly config: string; readonly client: string },
): List[] {
  const [admin, own] = ["token-admin_6", "token-zhang_5"];
  const hosts = "/api/hosts?limit=20";
  const renewals = "/api/renewals?limit=20";
  const lists: List[] = [];
  const add = (name: string, token: string, path: string) => lists.push({ name, token, path });

  for (const [page, number] of Object.entries(RENEWAL_PAGES)) {
    add(`renewals: ${page} page`, root, `${renewals}&page=${number}`);
    add(`renewals: oldest first, ${page} page`, root, `${renewals}&order=asc&page=${number}`);
    for (const order of ["asc", "desc"]) {
      add(
        `renewals: by end ${order}, ${page} page`,
        root,
        `${renewals}&sort=expireTime&order=${order}&page=${number}`,
      );
    }
  }
  for (const status of ["pending", "approved", "completed", "rejected", "cancelled"]) {
    const pages = {
      pending: 50,
      approved: 50,
      completed: 40_000,
      rejected: 5_000,
      cancelled: 5_000,
    }[status];
    add(`renewals: ${status}`, root, `${renewals}&status=${status}&order=asc`);
    add(`renewals: ${status}, last page`, root, `${renewals}&status=${status}&page=${pages}`);
    add(
      `renewals: ${status} by end`,
      root,
      `${renewals}&status=${status}&sort=expireTime&order=asc`,
    );
    add(
      `renewals: ${status} by end, page ${pages}`,
      root,
      `${renewals}&status=${status}&sort=expireTime&page=${pages}`,
    );
  }
  for (const text of SEARCHES) {
    add(`renewals: search ${text}`, root, `${renewals}&search=${encodeURIComponent(text)}`);
    add(
      `renewals: search ${text}, pending`,
      root,
      `${renewals}&status=pending&search=${encodeURIComponent(text)}`,
    );
  }
  add("renewals: search web by end", root, `${renewals}&sort=expireTime&search=web`);
  add("renewals: search web, page 5,000", root, `${renewals}&page=5000&search=web`);
  add("renewals: of one user", root, `${renewals}&userId=${client}`);
  add("renewals: dashboard", root, "/api/renewals?page=1&limit=1&status=pending&order=asc");

  for (const [page, number] of Object.entries(HOST_PAGES)) {
    for (const sort of SORTS) {
      for (const order of ["asc", "desc"]) {
        add(
          `hosts: by ${sort} ${order}, ${page} page`,
          root,
          `${hosts}&sort=${sort}&order=${order}&page=${number}`,
        );
      }
    }
  }
  for (const filter of [...HOST_FILTERS, `configId=${config}`, `userId=${client}`]) {
    add(`hosts: ${filter.split("=")[0]}`, root, `${hosts}&${filter}`);
  }
  for (const text of SEARCHES)
    add(`hosts: search ${text}`, root, `${hosts}&search=${encodeURIComponent(text)}`);
  add(
    "hosts: assigned ones that end first",
    root,
    `${hosts}&assignedExpiring=7&sort=assignedExpireTime&order=asc`,
  );
  add("hosts: summary", root, "/api/hosts/summary");

  const held = "/api/hosts/held-removals?limit=20";
  for (const query of ["", "page=50", "search=web", "reason=mass-removal", `configId=${config}`]) {
    add(
      `held removals: ${query.split("=")[0] || "all"}`,
      root,
      `${held}&${query}`.replace(/&$/, ""),
    );
  }
  for (const query of ["", "page=100", "role=client", "search=zhang", "search=客户"]) {
    add(
      `users: ${query || "all"}`,
      root,
      `/api/users?limit=20&${encodeURI(query)}`.replace(/&$/, ""),
    );
  }
  add("users: assignments of one", root, `/api/users/${client}/assignments`);

  for (const [role, token] of [
    ["admin", admin],
    ["client", own],
  ] as const) {
    for (const query of [
      "",
      "page=10",
      "status=pending&order=asc",
      "sort=expireTime&order=asc",
      "sort=expireTime&page=20",
    ]) {
      add(
        `renewals of one ${role}: ${query || "all"}`,
        token,
        `${renewals}&${query}`.replace(/&$/, ""),
      );
    }
    for (const text of SEARCHES) {
      add(
        `renewals of one ${role}: search ${text}`,
        token,
        `${renewals}&search=${encodeURIComponent(text)}`,
      );
    }
    for (const sort of SORTS)
      add(`hosts of one ${role}: by ${sort}`, token, `${hosts}&sort=${sort}&page=2`);
    for (const query of [
      "assignedExpiring=7",
      "assignedExpired=true",
      "status=Running",
      "search=web",
      "search=10.1.",
    ]) {
      add(`hosts of one ${role}: ${query}`, token, `${hosts}&${query}`);
    }
    add(`hosts of one ${role}: summary`, token, "/api/hosts/summary");
  }
  add("users of one admin: all", admin, "/api/users?limit=20");
  return lists;
}

/**
 * One host; many hosts in two scripts; part of one user's name; many users; an address; nothing.
 */
const SEARCHES = ["web-test-11", "web", "网站", "zhang_75", "zhang", "10.1.", "没有这台"];
const HOST_FILTERS = [
  "status=Stopped",
  "region=hk",
  "assigned=true",
  "assigned=false",
  "expiring=7",
  "expired=true",
  "assignedExpiring=7",
  "assignedExpired=true",
  "gone=true",
];

async function measure(url: string, { path, token }: Omit<List, "name">): Promise<number> {
  await call(url, path, token);
  const times: number[] = [];
  const endsAt = performance.now() + MAX_MS;
  while (times.length < CALLS && performance.now() < endsAt) {
    const startedAt = performance.now();
    const status = await call(url, path, token);
    times.push(performance.now() - startedAt);
    if (status !== 200) return Number.POSITIVE_INFINITY;
  }
  return percentile(times, 0.95);
}

/** Returns the status. */
async function call(url: string, path: string, token?: string): Promise<number> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const response = await fetch(url + path, { headers });
  await response.arrayBuffer();
  return response.status;
}

/** Forty readers, each of which asks for the first page of the renewals again and again. */
async function readAtOnce({ url, lists }: Target): Promise<Figure[]> {
  const [list] = lists;
  if (list === undefined) throw new Error("there are no lists");
  const endsAt = performance.now() + READERS_MS;
  let [answered, refused] = [0, 0];
  const ready: number[] = [];

  async function read(path: string, token: string): Promise<void> {
    while (performance.now() < endsAt) {
      if ((await call(url, path, token)) === 200) answered += 1;
      else refused += 1;
    }
  }
  async function watch(): Promise<void> {
    while (performance.now() < endsAt) ready.push(await call(url, "/readyz"));
  }
  await Promise.all([
    ...Array.from({ length: READERS }, () => read(list.path, list.token)),
    watch(),
  ]);

  const share = (part: number, whole: number) => (100 * part) / Math.max(1, whole);
  return [
    figure(`${READERS} readers of renewals: answered`, share(answered, answered + refused), "%", {
      bar: 100,
    }),
    figure(`${READERS} readers of renewals: pages a second`, answered / (READERS_MS / 1000), "/s"),
    figure(
      `${READERS} readers of renewals: /readyz is 200`,
      share(ready.filter((code) => code === 200).length, ready.length),
      "%",
      {
        bar: 100,
      },
    ),
  ];
}
