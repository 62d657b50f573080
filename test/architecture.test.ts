import { globSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { findWritesOutsideTransactions } from "./harness/find-writes.ts";
import {
  declaresRows,
  findForeignExpressions,
  findQueriesWithoutEnd,
  usesRawSql,
} from "./harness/query-rules.ts";

const SRC = join(import.meta.dirname, "../src");
/** What each room of the server may import beside itself and `shared`: one direction only. */
const LAYERS: Readonly<Record<string, readonly string[]>> = {
  platform: [],
  provider: ["platform"],
  modules: ["platform", "provider"],
  operations: ["platform", "provider", "modules"],
};

/**
 * From low to high: a module imports only modules before it. docs/architecture.md has the same list,
 * with what each is for.
 */
const MODULES: readonly string[] = [
  "history-records",
  "audit-records",
  "settings",
  "channels",
  "notice-records",
  "users",
  "auth",
  "provider-configs",
  "hosts",
  "renewals",
  "sync",
  "assignments",
  "history",
  "config-management",
  "user-management",
  "notices",
  "reminders",
  "deliveries",
  "audit",
];

/** Lists entities and migrations, above the modules. */
const ORM_CONFIG = "../mikro-orm.config.ts";
/** Above it are `app.ts`, what opens the storage, and these. */
const ABOVE_ORM_CONFIG = ["operations"];
const ROUTER_TYPE = "type server/app-router.ts";

/** Each with its reason; everything else goes through `inTransaction`. */
const WRITES_OUTSIDE_TRANSACTIONS = [
  // Throws outside of a transaction: a restore calls it in its own one.
  "server/modules/audit-records/record-audit.ts: addEntries",
  // The time of a session's or token's last use, by every call: no change that anybody hears of, and
  // a call may go on without it.
  "server/modules/auth/find-caller.ts: touchSession",
  "server/modules/auth/find-token-caller.ts: touchToken",
  "server/modules/auth/sessions.ts: restartFutureSessions",
  // Also drops and makes the tables, in one transaction of the migrator.
  "server/operations/restore.ts: dropAll",
  "server/operations/restore.ts: insertRows",
  "server/operations/restore.ts: replaceContent",
];

/** The only files that write SQL as text, each with its reason. */
const RAW_SQL_FILES: Readonly<Record<string, string>> = {
  "server/modules/channels/queue-deliveries.ts": "inserts any number of rows as one document",
  "server/modules/notice-records/add-notices.ts": "writes any number of rows as one document",
  "server/modules/reminders/add-reminders.ts": "inserts any number of rows as one document",
  "server/modules/history-records/record-acts.ts": "inserts any number of rows as one document",
  "server/modules/history-records/record-changes.ts": "inserts thousands of rows as one document",
  "server/modules/history-records/record-missing-acts.ts": "runs a statement of a migration again",
  "server/modules/sync/host-store.ts": "locks and marks hosts in one statement, with their history",
  "server/modules/sync/write-hosts.ts": "writes a batch of hosts as one document",
  "server/operations/backup.ts": "reads every table by name, with a cursor",
  "server/operations/restore.ts": "writes every table by name, and drops them",
  "server/operations/rotate-keys.ts": "writes columns by name",
  "server/operations/schema.ts": "counts rows of tables by name, reads system tables",
  "server/operations/sealed-secrets.ts": "reads columns by name",
  "server/operations/state-metrics.ts": "reads tables of pg-boss",
  "server/platform/database/check-server.ts": "reads a system table and a setting",
  "server/platform/database/migrate.ts": "locks, and the table of migrations",
  "server/platform/database/expressions.ts": "what the builder lacks, as named helpers",
  "server/platform/database/sql.ts": "what the builder lacks, as named helpers",
  "server/platform/embedded-database/maintenance-job.ts": "vacuum",
  "server/platform/events/append.ts": "takes the lock in the statement that inserts",
  "server/platform/events/store.ts": "reads the state of a sequence",
};

/** Of these, the files that write down the types of their rows, which no compiler checks. */
const DECLARED_ROW_FILES = [
  // Only widens the kinds of changes to those of all entries.
  "server/modules/history/queries.ts",
  "server/modules/sync/host-store.ts",
  "server/modules/sync/write-hosts.ts",
  "server/operations/backup.ts",
  "server/operations/restore.ts",
  "server/operations/schema.ts",
  "server/operations/sealed-secrets.ts",
  "server/platform/database/check-server.ts",
  "server/platform/database/migrate.ts",
  "server/platform/database/expressions.ts",
  "server/platform/embedded-database/maintenance-job.ts",
  "server/platform/events/store.ts",
];

const BY_ID = "the caller says which hosts, by id";
const HELD = "a host that is gone is held no more";
const OF_REQUEST = "a request keeps its assignment, also one that has ended";

/** Functions that mean present and former rows alike, each with its reason. */
const QUERIES_WITHOUT_END: Readonly<Record<string, string>> = {
  concernsConfig: "changes are those of hosts, also when they are gone",
  countHeldHosts: HELD,
  dismissSome: HELD,
  findByEnd: OF_REQUEST,
  findEnds: "what was sent is told, also when its host is gone since",
  findHeldHosts: HELD,
  findHosts: "requests are searched by their host, also when it is gone",
  findStoredHosts: BY_ID,
  findVisibleHosts: "a notice may be about a host that is gone; who sees it says its scope",
  hasHostNamed: "requests are searched by their host, also when it is gone",
  historyViewerOf: BY_ID,
  holdHosts: "`lockStillMissing` asks",
  lockAssignment: OF_REQUEST,
  lockHost: BY_ID,
  lockHosts: BY_ID,
  matchesSearch: "changes are searched by their host, also when it is gone",
  readPage: "a user's list has what ended",
  readOriginsOf: BY_ID,
  selectRenewals: OF_REQUEST,
  selectRow: BY_ID,
  recordHostActs: "an act is recorded of an assignment that it ends, too",
  selectReleased: "hosts that are gone lose their configuration, too",
  selectWithHosts: "changes are shown with their host, also when it is gone",
  shareLockHosts: BY_ID,
};

interface Import {
  readonly from: string;
  readonly to: string;
  readonly typeOnly: boolean;
}

const files = [...globSync("**/*.{ts,tsx}", { cwd: SRC }), ORM_CONFIG];
const imports = files.flatMap(importsOf);

describe("import direction", () => {
  it.each([
    ["shared", ["shared/"]],
    ["sdk", ["shared/", "sdk/", ROUTER_TYPE]],
    ["client", ["shared/", "sdk/", "client/", ROUTER_TYPE]],
    ["simulator", ["simulator/"]],
    ["server", ["shared/", "server/", ORM_CONFIG]],
    ...Object.entries(LAYERS).map(([folder, lower]): [string, string[]] => {
      const folders = [folder, ...lower].map((name) => `server/${name}/`);
      const config = ABOVE_ORM_CONFIG.includes(folder) ? [ORM_CONFIG] : [];
      return [`server/${folder}`, ["shared/", ...folders, ...config, ROUTER_TYPE]];
    }),
  ])("%s imports only %j", (folder, allowed) => {
    const isAllowed = ({ to, typeOnly }: Import) =>
      allowed.some((start) => to.startsWith(start) || (typeOnly && `type ${to}` === start));
    const own = imports.filter((found) => found.from.startsWith(`${folder}/`));

    expect(own.filter((found) => !isAllowed(found))).toEqual([]);
  });

  it("names a layer for every folder of the server", () => {
    const folders = new Set(files.flatMap((file) => /^server\/([\w-]+)\//.exec(file)?.[1] ?? []));
    expect([...folders].sort()).toEqual(Object.keys(LAYERS).sort());
  });

  it("MODULES lists every module, in the order of docs/architecture.md", () => {
    const folders = new Set(files.flatMap((file) => moduleOf(file) ?? []));
    const page = readFileSync(join(SRC, "../docs/architecture.md"), "utf8");
    const listed = [...page.matchAll(/^\| \d+ \| `([\w-]+)` \|/gm)].map(([, name]) => name);

    expect(MODULES.toSorted(), "edit MODULES in test/architecture.test.ts").toEqual(
      [...folders].sort(),
    );
    expect(listed, "edit the table of modules in docs/architecture.md").toEqual(MODULES);
  });

  it("a module imports only modules that are below it", () => {
    const isUpward = ({ from, to }: Import) => {
      const [own, other] = [moduleOf(from), moduleOf(to)];
      return own !== null && other !== null && MODULES.indexOf(other) > MODULES.indexOf(own);
    };
    const advice = "move what joins both modules to the higher one, or to one above both";

    const upward = imports.filter(isUpward).map(({ from, to }) => `${from} imports ${to}`);

    expect(upward, advice).toEqual([]);
  });

  it("entities, presenters and scopes import only shared, platform and each other", () => {
    const described = files.filter((file) =>
      /^server\/(modules|platform)\/[\w-]+\/(entity|present|access)\.ts$/.test(file),
    );
    expect(described.length).toBeGreaterThan(8);
    // The fingerprint is the expression of a column.
    const allowed = /^(shared|server\/platform)\/|\/(entity|access|present|fingerprint)\.ts$/;
    const own = imports.filter(({ from, typeOnly }) => described.includes(from) && !typeOnly);
    expect(own.filter(({ to }) => !allowed.test(to))).toEqual([]);
  });

  it("a feature of the console imports no other feature", () => {
    const featureOf = (file: string) => /^client\/features\/([\w-]+)\//.exec(file)?.[1];
    const foreign = imports.filter(({ from, to }) => {
      const isFromFeature = featureOf(from) !== undefined;
      const isToFeature = featureOf(to) !== undefined;
      return isFromFeature && isToFeature && featureOf(from) !== featureOf(to);
    });

    expect(foreign).toEqual([]);
  });

  it("only the console's app imports its features", () => {
    const isAllowed = ({ from }: Import) => /^client\/(features|app)\//.test(from);
    const ofFeatures = imports.filter(({ to }) => to.startsWith("client/features/"));

    expect(ofFeatures.length).toBeGreaterThan(20);
    expect(ofFeatures.filter((found) => !isAllowed(found))).toEqual([]);
  });

  it("there is no import cycle except through types", () => {
    expect(filesInCycles()).toEqual([]);
  });
});

describe("source rules", () => {
  it.each([
    ["reads the environment", "server/", "process.env"],
    ["ends the process", "", "process.exit("],
    ["imports app.ts", "", '"./app.ts"'],
  ])("only main.ts %s", (_what, folder, text) => {
    const found = files.filter((file) => file.startsWith(folder) && source(file).includes(text));
    expect(found).toEqual(["server/main.ts"]);
  });

  it("MikroORM's own transactions and positional parameters are not used", () => {
    const forbidden =
      /\bem(\.fork\(\))?\.execute\(|\.transactional\(|["'`](select|insert|update|delete)\b[^"'`]*\?/;
    const found = serverFiles().filter((file) => forbidden.test(source(file)));

    expect(found).toEqual([]);
  });

  it("modules write events only in the functions of an events.ts", () => {
    const appends = (file: string) => /\bappendEvents?\(/.test(source(file));
    const found = serverFiles().filter(
      (file) => file.startsWith("server/modules/") && !file.endsWith("/events.ts") && appends(file),
    );

    const advice = "call a publish… function of the module's events.ts";
    expect(found, advice).toEqual([]);
  });

  it("the console reads neither the computer's clock nor its time zone", () => {
    const forbidden =
      /\bDate\.now\(|\bnew Date\(\)|\bDateTimeFormat\b|\.toLocale(Date|Time)?String\(|\.get(Day|Date|Hours)\(/;
    const isAllowed = (file: string) =>
      ["client/lib/server-time.ts", "client/lib/browser-zone.ts"].includes(file);
    const found = files.filter(
      (file) => file.startsWith("client/") && forbidden.test(source(file)),
    );

    expect(found.filter((file) => !isAllowed(file))).toEqual([]);
  });

  it("every change of the database is made in inTransaction", () => {
    const changing = files.filter(
      (file) => file.startsWith("server/") && !file.includes("/migrations/"),
    );
    const sources = new Map(changing.map((file) => [file, source(file)]));
    const found = findWritesOutsideTransactions(sources);

    expect(found).toEqual(WRITES_OUTSIDE_TRANSACTIONS);
  });
});

describe("queries", () => {
  it("SQL is written as text only in the files that are listed with a reason", () => {
    const found = serverFiles().filter((file) => usesRawSql(source(file)));
    const advice = "write it with kyselyOf, or edit RAW_SQL_FILES in test/architecture.test.ts";
    expect(found.sort(), advice).toEqual(Object.keys(RAW_SQL_FILES).sort());
  });

  it("rows of queries have types that the compiler infers", () => {
    const found = serverFiles().filter((file) => declaresRows(source(file)));
    const advice = "infer the row, or edit DECLARED_ROW_FILES in test/architecture.test.ts";
    expect(found.sort(), advice).toEqual(DECLARED_ROW_FILES.toSorted());
  });

  it("a query of hosts or assignments says whether it means those that are over", () => {
    const sources = new Map(
      serverFiles()
        .filter(isNoMigration)
        .map((file) => [file, source(file)]),
    );
    const advice =
      "ask for gone_at or ended_at, or edit QUERIES_WITHOUT_END in test/architecture.test.ts";
    const expected = Object.keys(QUERIES_WITHOUT_END).toSorted();
    expect(findQueriesWithoutEnd(sources), advice).toEqual(expected);
  });

  it("a module takes parts of another's statements only from its access.ts", () => {
    const sources = new Map(serverFiles().map((file) => [file, source(file)]));
    const advice = "call a function that answers data, or move the condition to access.ts";
    expect(findForeignExpressions(sources), advice).toEqual([]);
  });

  it("a condition that another module imports from queries.ts is found", () => {
    const sources = new Map([
      ["server/modules/users/queries.ts", FOREIGN_QUERIES],
      [
        "server/modules/hosts/list.ts",
        'import { isNew, readNew, newNotFound, guess } from "../users/queries.ts";\n',
      ],
    ]);

    const found = findForeignExpressions(sources);

    expect(found).toEqual([
      "server/modules/hosts/list.ts: isNew of server/modules/users/queries.ts",
      "server/modules/hosts/list.ts: guess of server/modules/users/queries.ts",
    ]);
  });
});

/** Two functions that answer data, and two conditions, one of which does not say so. */
const FOREIGN_QUERIES = `
import type { Expression, SqlBool } from "kysely";

export function isNew(eb: UserBuilder): Expression<SqlBool> {
  return eb("u.createdAt", ">", 0);
}

export async function readNew(em: SqlEntityManager) {
  return await kyselyOf(em).selectFrom("users").selectAll().execute();
}

export function newNotFound(): AppError {
  return new AppError("NOT_FOUND");
}

export function guess(eb: UserBuilder) {
  return eb.lit(true);
}
`;

function isNoMigration(file: string): boolean {
  return !file.includes("/migrations/") && !file.endsWith("/entity.ts");
}

function serverFiles(): string[] {
  return files.filter((file) => file.startsWith("server/"));
}

function importsOf(from: string): Import[] {
  const pattern =
    /^\s*(?:import|export)\s+(type\s+)?[^"';]*?from\s+"([^"]+)"|\bimport\("([^"]+)"\)/gm;
  return [...source(from).matchAll(pattern)].flatMap(([, typeOnly, statically, dynamically]) => {
    const to = resolveImport(from, statically ?? dynamically ?? "");
    return to === null ? [] : [{ from, to, typeOnly: typeOnly !== undefined }];
  });
}

/** Of a file of a module. */
function moduleOf(file: string): string | null {
  return /^server\/modules\/([\w-]+)\//.exec(file)?.[1] ?? null;
}

/** Path below src, or null for packages and data. */
function resolveImport(from: string, specifier: string): string | null {
  const target = specifier
    .replace(/^@shared\//, `${SRC}/shared/`)
    .replace(/^@\//, `${SRC}/client/`);
  if (!/^[./]/.test(target) || target.endsWith(".json")) return null;
  const path = relative(SRC, resolve(SRC, dirname(from), target));
  return files.find((file) => file === path || file.replace(/\.tsx?$/, "") === path) ?? path;
}

/**
 * Files in a cycle, and those that lead to one: what is left when files that import nothing are
 * taken away again and again.
 */
function filesInCycles(): string[] {
  let left = imports.filter(({ typeOnly }) => !typeOnly);
  for (;;) {
    const importing = new Set(left.map(({ from }) => from));
    const next = left.filter(({ to }) => importing.has(to));
    if (next.length === left.length) return [...importing];
    left = next;
  }
}

function source(file: string): string {
  return readFileSync(join(SRC, file), "utf8");
}
