import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ENTITIES } from "../mikro-orm.config.ts";

const ROOT = join(import.meta.dirname, "..");
const MANUAL = "docs/operations.md";
const CHAPTER = "What grows, and how long it is kept";

it("the manual says how long the rows of every table are kept, and who removes them", () => {
  const described = describedTables();
  const tables = ENTITIES.map((entity) => entity.meta.tableName);
  const missing = tables.filter((table) => !described.includes(table));

  expect(missing, `${MANUAL}, "${CHAPTER}": add a line for each of these tables`).toEqual([]);
});

it("the manual names no table that does not exist", () => {
  const tables = [...ENTITIES.map((entity) => entity.meta.tableName), "pgboss.job"];
  const unknown = describedTables().filter((table) => !tables.includes(table));

  expect(unknown, `${MANUAL}, "${CHAPTER}": remove the lines of these tables`).toEqual([]);
});

it("the clean-up runs every function that removes old rows", () => {
  const cleanUp = source("src/server/operations/clean-up-job.ts");
  const files = globSync("src/server/**/retention.ts", { cwd: ROOT });
  const names = files.flatMap((file) =>
    [...source(file).matchAll(/^export async function (\w+)/gm)].map(([, name = ""]) => name),
  );

  const missing = names.filter((name) => !cleanUp.includes(`run: ${name}`));

  expect(names.length).toBeGreaterThan(5);
  expect(missing, "src/server/operations/clean-up-job.ts: a step for each").toEqual([]);
});

/** Lines whose cells are all filled in. */
function describedTables(): string[] {
  const manual = source(MANUAL);
  const [, after = ""] = manual.split(`## ${CHAPTER}\n`);
  const [chapter = ""] = after.split("\n## ");
  return [...chapter.matchAll(/^\| `(.+?)` \| \S.* \| \S.* \| \S.* \|$/gm)].map(
    ([, table = ""]) => table,
  );
}

function source(file: string): string {
  return readFileSync(join(ROOT, file), "utf8");
}
