import { globSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, it } from "vitest";

const SRC = join(import.meta.dirname, "../src");
const MAX_LINES = 300;
const DOMAINS = ["settings", "users", "auth", "configs", "hosts", "renewals", "sync"];
const FOUNDATION = ["core", "database"];
const SERVICES = ["events", "egress", "provider", ...DOMAINS];
/** Folders that each server folder may import beside itself and `shared`. */
const LAYERS: Readonly<Record<string, readonly string[]>> = {
  core: ["database"],
  database: ["core"],
  "embedded-database": ["core"],
  config: [...FOUNDATION, "users"],
  events: FOUNDATION,
  egress: FOUNDATION,
  provider: [...FOUNDATION, "egress"],
  ...Object.fromEntries(DOMAINS.map((domain) => [domain, [...FOUNDATION, ...SERVICES]])),
  jobs: [...FOUNDATION, ...SERVICES],
  monitoring: [...FOUNDATION, ...SERVICES, "embedded-database"],
  operations: [...FOUNDATION, "config", "embedded-database", "configs"],
  transport: [...FOUNDATION, "config"],
};

interface Import {
  readonly from: string;
  readonly to: string;
  readonly typeOnly: boolean;
}

const files = globSync("**/*.{ts,tsx}", { cwd: SRC });
const imports = files.flatMap(importsOf);

describe("import direction", () => {
  it.each(Object.entries(LAYERS))("server/%s imports only lower layers", (folder, lower) => {
    const allowed = new RegExp(`^(shared|server/(${[folder, ...lower].join("|")}))/`);
    const isRouterType = ({ to, typeOnly }: Import) => typeOnly && to === "server/app-router.ts";
    expect(violations(`server/${folder}/`, (found) => allowed.test(found.to) || isRouterType(found))).toEqual([]);
  });

  it("names a layer for every folder of the server", () => {
    const folders = new Set(files.flatMap((file) => /^server\/([\w-]+)\//.exec(file)?.[1] ?? []));
    expect([...folders].sort()).toEqual(Object.keys(LAYERS).sort());
  });

  it("entities, presenters and scopes import only shared, core, database and other entities", () => {
    const described = files.filter((file) => /^server\/\w+\/(entity|present|scope)\.ts$/.test(file));
    expect(described.length).toBeGreaterThan(8);
    const allowed = /^(shared|server\/(core|database))\/|\/(entity|scope|present)\.ts$/;
    expect(
      imports.filter(({ from, to, typeOnly }) => described.includes(from) && !typeOnly && !allowed.test(to)),
    ).toEqual([]);
  });

  it("shared imports only shared", () => {
    expect(violations("shared/", ({ to }) => to.startsWith("shared/"))).toEqual([]);
  });

  it.each(["client", "sdk"])("%s imports only shared, itself and the router's type", (folder) => {
    const allowed = new RegExp(`^(shared|sdk|${folder})/`);
    expect(
      violations(`${folder}/`, ({ to, typeOnly }) => allowed.test(to) || (typeOnly && to === "server/app-router.ts")),
    ).toEqual([]);
  });

  it("the server and the simulator do not import each other", () => {
    expect(violations("simulator/", ({ to }) => to.startsWith("simulator/"))).toEqual([]);
    expect(imports.filter(({ from, to }) => !from.startsWith("simulator/") && to.startsWith("simulator/"))).toEqual([]);
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
    const forbidden = [
      /\bem(\.fork\(\))?\.execute\(/,
      /\.transactional\(/,
      /["'`](select|insert|update|delete)\b[^"'`]*\?/,
    ];
    const offenders = files.filter(
      (file) => file.startsWith("server/") && forbidden.some((pattern) => pattern.test(source(file))),
    );
    expect(offenders).toEqual([]);
  });

  it(`no file has more than ${MAX_LINES} lines`, () => {
    expect(files.filter((file) => source(file).split("\n").length > MAX_LINES)).toEqual([]);
  });
});

function violations(folder: string, allows: (found: Import) => boolean): string[] {
  return imports
    .filter((found) => found.from.startsWith(folder) && !isEntityList(found) && !allows(found))
    .map(({ from, to }) => `${from} → ${to}`);
}

/** `database` lists all tables, so it may import the domains' entities. */
function isEntityList({ from, to }: Import): boolean {
  return from === "server/database/entities.ts" && to.endsWith("/entity.ts");
}

function importsOf(from: string): Import[] {
  const pattern = /^\s*(?:import|export)\s+(type\s+)?[^"';]*?from\s+"([^"]+)"|\bimport\("([^"]+)"\)/gm;
  return [...source(from).matchAll(pattern)].flatMap(([, typeOnly, statically, dynamically]) => {
    const to = resolveImport(from, statically ?? dynamically ?? "");
    return to === null ? [] : [{ from, to, typeOnly: typeOnly !== undefined }];
  });
}

/** Path below src, or null for packages and data. */
function resolveImport(from: string, specifier: string): string | null {
  const path = specifier.startsWith("@/")
    ? join("client", specifier.slice(2))
    : specifier.startsWith("@shared/")
      ? join("shared", specifier.slice(8))
      : specifier.startsWith(".") && !specifier.endsWith(".json")
        ? relative(SRC, join(SRC, dirname(from), specifier))
        : null;
  if (path === null) return null;
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
