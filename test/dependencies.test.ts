import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";

const ROOT = join(import.meta.dirname, "..");
const Dependencies = z.record(z.string(), z.string());
const Root = z.object({ dependencies: Dependencies, devDependencies: Dependencies });
const Installed = z.object({ version: z.string(), license: z.string() });

/** | `name` | version | day of release | licence | purpose | */
const ROW = /^\| `([^`]+)` \| ([^|]+) \| (\d{4}-\d{2}-\d{2}) \| ([^|]+) \| ([^|]+) \|$/gm;

const { dependencies, devDependencies } = Root.parse(read("package.json"));
const rows = [...readFileSync(join(ROOT, "docs/dependencies.md"), "utf8").matchAll(ROW)].map(
  ([, name = "", version = "", , licence = ""]) => ({ name, version, licence }),
);

describe("docs/dependencies.md", () => {
  it("names every runtime dependency of the server", () => {
    const named = rows.map(({ name }) => name);
    expect(named).toEqual(expect.arrayContaining(Object.keys(dependencies)));
  });

  it("names every package compiled into the console", () => {
    const named = new Set(rows.map(({ name }) => name));
    expect(importsOfConsole().filter((name) => !named.has(name))).toEqual([]);
  });

  it.each(rows.map(({ name, ...row }) => [name, row] as const))("states the version and licence of %s", (name, row) => {
    const pinned = { ...devDependencies, ...dependencies }[name];
    const { version, license } = Installed.parse(read(`node_modules/${name}/package.json`));
    expect({ ...row, pinned }).toEqual({ version, licence: license, pinned: version });
  });
});

/** Packages imported by the console. */
function importsOfConsole(): string[] {
  const sources = globSync("src/{client,shared}/**/*.{ts,tsx}", { cwd: ROOT }).map((file) =>
    readFileSync(join(ROOT, file), "utf8"),
  );
  const specifiers = sources.flatMap((source) =>
    [...source.matchAll(/\bfrom "([^".][^"]*)"/g)].map(([, to = ""]) => to),
  );
  const packages = specifiers.map((specifier) => /^(@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? "");
  return [...new Set(packages)].filter((name) => name !== "@" && !/^@(\/|shared\/)/.test(name));
}

function read(path: string): unknown {
  return JSON.parse(readFileSync(join(ROOT, path), "utf8"));
}
