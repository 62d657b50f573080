import { globSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, it } from "vitest";

const SRC = join(import.meta.dirname, "../src");
/** A domain's services may use those of the domains before it, never after. */
const DOMAINS = ["settings", "users", "auth", "configs", "hosts", "sync", "renewals"];
/** How calls come in and answers go out. */
const TRANSPORT = ["http", "rest", "sockets"];
/** Put together what the domains offer; only these may know them all. */
const ASSEMBLY = [
  "server/app.ts",
  "server/app-router.ts",
  "server/entities.ts",
  "server/event-presenters.ts",
  "server/main.ts",
];
const MAX_LINES = 300;

interface Import {
  readonly from: string;
  readonly to: string;
  readonly typeOnly: boolean;
}

const files = globSync("**/*.{ts,tsx}", { cwd: SRC });
const imports = files.flatMap(importsOf);

describe("who may import whom", () => {
  it("shared imports only shared", () => {
    expect(violations("shared/", (to) => to.startsWith("shared/"))).toEqual([]);
  });

  it("core imports only shared and core", () => {
    expect(violations("server/core/", (to) => /^(shared|server\/core)\//.test(to))).toEqual([]);
  });

  it("provider imports only shared, core and itself", () => {
    expect(violations("server/provider/", (to) => /^(shared|server\/(core|provider))\//.test(to))).toEqual([]);
  });

  it("keys import shared, core and themselves; backups, which know tables but no domain, those", () => {
    expect(violations("server/keys/", (to) => /^(shared|server\/(core|keys))\//.test(to))).toEqual([]);
    expect(violations("server/backup/", (to) => /^(shared|server\/(core|keys|backup))\//.test(to))).toEqual([]);
  });

  it("the event log knows no domain, a job calls a domain's service, transport knows procedures by their router's type", () => {
    expect(violations("server/events/", (to) => /^(shared|server\/(core|events))\//.test(to))).toEqual([]);
    const callable = new RegExp(`^(shared|server/(core|events|jobs|${DOMAINS.join("|")}))/`);
    expect(violations("server/jobs/", (to) => callable.test(to))).toEqual([]);
    for (const folder of TRANSPORT) {
      const allowed = new RegExp(`^(shared|server/(core|events|${TRANSPORT.join("|")}))/`);
      const isRouterType = (to: string, { typeOnly }: Import) => typeOnly && to === "server/app-router.ts";
      expect(violations(`server/${folder}/`, (to, found) => allowed.test(to) || isRouterType(to, found))).toEqual([]);
    }
  });

  it("app.ts alone imports monitoring, which reads tables of every domain", () => {
    const importers = imports.filter(({ to }) => to.startsWith("server/monitoring/")).map(({ from }) => from);
    expect(new Set(importers.filter((from) => !from.startsWith("server/monitoring/")))).toEqual(
      new Set(["server/app.ts"]),
    );
  });

  it.each(DOMAINS)("%s imports shared, core, provider, events, itself and lower domains", (domain) => {
    const lower = DOMAINS.slice(0, DOMAINS.indexOf(domain) + 1);
    const allowed = new RegExp(`^(shared|server/(core|provider|events|${lower.join("|")}))/`);
    expect(violations(`server/${domain}/`, (to) => allowed.test(to))).toEqual([]);
  });

  it("an entity, being only a table's description, may be named by any domain", () => {
    const entities = files.filter((file) => /^server\/\w+\/entity\.ts$/.test(file));
    expect(entities.length).toBeGreaterThan(4);
    for (const entity of entities) {
      expect(
        imports
          .filter(({ from }) => from === entity)
          .map(({ to }) => to)
          .filter((to) => !to.startsWith("shared/")),
      ).toEqual([]);
    }
  });

  it("the client sees shared, itself and the router's type", () => {
    expect(
      violations(
        "client/",
        (to, { typeOnly }) => /^(shared|client)\//.test(to) || (typeOnly && to === "server/app-router.ts"),
      ),
    ).toEqual([]);
  });

  it("the SDK sees shared, itself and the router's type", () => {
    expect(
      violations(
        "sdk/",
        (to, { typeOnly }) => /^(shared|sdk)\//.test(to) || (typeOnly && to === "server/app-router.ts"),
      ),
    ).toEqual([]);
  });

  it("the simulator is no part of the server", () => {
    expect(violations("simulator/", (to) => to.startsWith("simulator/"))).toEqual([]);
    expect(imports.filter(({ from, to }) => !from.startsWith("simulator/") && to.startsWith("simulator/"))).toEqual([]);
  });

  it("app.ts is imported by main.ts alone", () => {
    expect(imports.filter(({ to }) => to === "server/app.ts").map(({ from }) => from)).toEqual(["server/main.ts"]);
  });

  it("no file leans on one that leans back on it, types aside", () => {
    expect(findCycle()).toEqual([]);
  });
});

describe("house rules a machine can see", () => {
  it("the environment is read in one place", () => {
    const readers = files.filter((file) => file.startsWith("server/") && source(file).includes("process.env"));
    expect(readers).toEqual(["server/main.ts"]);
  });

  it("nobody calls process.exit", () => {
    expect(files.filter((file) => source(file).includes("process.exit("))).toEqual([]);
  });

  it(`no file has more than ${MAX_LINES} lines`, () => {
    expect(files.filter((file) => source(file).split("\n").length > MAX_LINES)).toEqual([]);
  });
});

function violations(folder: string, allows: (to: string, found: Import) => boolean): string[] {
  return imports
    .filter((found) => found.from.startsWith(folder) && !ASSEMBLY.includes(found.from))
    .filter((found) => !allows(found.to, found) && !isTable(found))
    .map(({ from, to }) => `${from} → ${to}`);
}

/** Reads join tables: naming another domain's table, and how its rows are presented, is not using its services. */
function isTable({ from, to }: Import): boolean {
  return (
    from.startsWith("server/") &&
    !/^server\/(core|provider)\//.test(from) &&
    /^server\/\w+\/(entity|present)\.ts$/.test(to)
  );
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

function findCycle(): string[] {
  const next = Map.groupBy(
    imports.filter(({ typeOnly }) => !typeOnly),
    ({ from }) => from,
  );
  const done = new Set<string>();
  const visit = (file: string, path: readonly string[]): string[] => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
    if (done.has(file)) return [];
    for (const { to } of next.get(file) ?? []) {
      const cycle = visit(to, [...path, file]);
      if (cycle.length > 0) return cycle;
    }
    done.add(file);
    return [];
  };
  for (const file of files) {
    const cycle = visit(file, []);
    if (cycle.length > 0) return cycle;
  }
  return [];
}

function source(file: string): string {
  return readFileSync(join(SRC, file), "utf8");
}
