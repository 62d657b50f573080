import { globSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { findWritesOutsideTransactions } from "./harness/find-writes.ts";

const SRC = join(import.meta.dirname, "../src");
/** What each room of the server may import beside itself and `shared`: one direction only. */
const LAYERS: Readonly<Record<string, readonly string[]>> = {
  platform: [],
  provider: ["platform"],
  modules: ["platform", "provider"],
  operations: ["platform", "provider", "modules"],
};

/** Lists entities and migrations, above the modules. */
const ORM_CONFIG = "../mikro-orm.config.ts";
/** Above it are `app.ts`, what opens the storage, and these. */
const ABOVE_ORM_CONFIG = ["operations"];
const ROUTER_TYPE = "type server/app-router.ts";

/** Each with its reason; everything else goes through `inTransaction`. */
const WRITES_OUTSIDE_TRANSACTIONS = [
  // The time of a session's last use, by every call: no change that anybody hears of, and a call may
  // go on without it.
  "server/modules/auth/find-caller.ts: touchSession",
  "server/modules/auth/sessions.ts: restartFutureSessions",
  // Also drops and makes the tables, in one transaction of the migrator.
  "server/operations/restore.ts: dropAll",
  "server/operations/restore.ts: insertRows",
  "server/operations/restore.ts: restore",
];

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

  it("entities, presenters and row scopes import only shared, platform and other entities", () => {
    const described = files.filter((file) =>
      /^server\/(modules|platform)\/[\w-]+\/(entity|present|access)\.ts$/.test(file),
    );
    expect(described.length).toBeGreaterThan(8);
    const allowed = /^(shared|server\/platform)\/|\/(entity|access|present)\.ts$/;
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

  it("the server queries the database only through entities and the typed query builder", () => {
    const forbidden =
      /\bem(\.fork\(\))?\.execute\(|\.transactional\(|["'`](select|insert|update|delete)\b[^"'`]*\?/;
    expect(
      files.filter((file) => file.startsWith("server/") && forbidden.test(source(file))),
    ).toEqual([]);
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

function importsOf(from: string): Import[] {
  const pattern =
    /^\s*(?:import|export)\s+(type\s+)?[^"';]*?from\s+"([^"]+)"|\bimport\("([^"]+)"\)/gm;
  return [...source(from).matchAll(pattern)].flatMap(([, typeOnly, statically, dynamically]) => {
    const to = resolveImport(from, statically ?? dynamically ?? "");
    return to === null ? [] : [{ from, to, typeOnly: typeOnly !== undefined }];
  });
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

/** Files in a cycle, and those that lead to one: what is left when files that import nothing are taken away again and again. */
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
