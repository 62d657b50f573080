import { basename, dirname, normalize } from "node:path";

const RAW_SQL = /import\s*\{[^}]*\bsql\b[^}]*\}\s*from\s*"(kysely|@mikro-orm\/[\w-]+)"/;
/** A row type that is written down, as in `sql<{ id: string }>` or `execute<Row>`. */
const DECLARED_ROW = /\bsql<\s*(\{|[A-Z])|\.execute(Query)?<|\.\$castTo<\s*(\{|[A-Z])/;
/** A file that builds statements. */
const BUILDS_QUERIES = /\b(kyselyOf|getKysely)\(|from "kysely/;
/** Tables whose rows may be over, and what says whether those are meant. */
const TABLES_WITH_END = [
  { table: "hosts", entity: "HostEntity", end: /\bgone_?at\b/i },
  {
    table: "assignments",
    entity: "AssignmentEntity",
    end: /\bended_?at\b|\b(isVisibleAssignment|isCurrentAssignment|lastedAt)\(/i,
  },
];
const COMMENT = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm;
const FUNCTION = /^(?=(?:export )?(?:async )?function \w|(?:export )?const \w+ = )/m;
/** Row scopes are shared; tables are everybody's. */
const SHARED_ROOMS = ["access.ts", "entity.ts"];

type Sources = ReadonlyMap<string, string>;

export function usesRawSql(source: string): boolean {
  return RAW_SQL.test(source);
}

export function declaresRows(source: string): boolean {
  return DECLARED_ROW.test(source);
}

/**
 * The functions with a statement about hosts or assignments that does not say whether it means those
 * that are gone or ended: by name, which is unique enough and outlives a move to another file.
 */
export function findQueriesWithoutEnd(sources: Sources): string[] {
  const found = [...sources.values()].flatMap((source) =>
    source
      .replaceAll(COMMENT, "")
      .split(FUNCTION)
      .filter(lacksEnd)
      .map((text) => /(?:function|const) (\w+)/.exec(text)?.[1] ?? text.slice(0, 80)),
  );
  return [...new Set(found)].toSorted();
}

function lacksEnd(text: string): boolean {
  return TABLES_WITH_END.some(({ table, entity, end }) => {
    const built = `\\b(selectFrom|\\w*[jJ]oin|updateTable|deleteFrom)\\(\\s*"${table}\\b`;
    const written = `\\b(from|join|update) ${table}\\b`;
    const found = `\\bem\\.(find|count|native)\\w*\\(\\s*${entity}\\b`;
    return new RegExp(`${built}|${written}|${found}`).test(text) && !end.test(text);
  });
}

/**
 * What a module of the server takes from another one that may be a part of a statement:
 * `file: name of otherFile`. From a file that builds statements another module may import functions
 * that answer data: async ones, presenters, and those that return nothing or an error.
 */
export function findForeignExpressions(sources: Sources): string[] {
  return [...sources].flatMap(([from, source]) =>
    importsOf(from, source).flatMap(({ to, names }) => {
      const target = sources.get(to);
      if (target === undefined || !isForeignQuery(from, to, target)) return [];
      const parts = names.filter((name) => !answersData(target, name));
      return parts.map((name) => `${from}: ${name} of ${to}`);
    }),
  );
}

function isForeignQuery(from: string, to: string, target: string): boolean {
  const isForeign =
    moduleOf(to) !== null && moduleOf(from) !== null && moduleOf(to) !== moduleOf(from);
  return isForeign && !SHARED_ROOMS.includes(basename(to)) && BUILDS_QUERIES.test(target);
}

function moduleOf(file: string): string | null {
  return /^server\/modules\/([\w-]+)\//.exec(file)?.[1] ?? null;
}

/** Values that are imported; types alone are no expressions. */
function importsOf(from: string, source: string) {
  const pattern = /^import\s*\{([^}]*)\}\s*from\s*"(\.[^"]+)"/gm;
  return [...source.matchAll(pattern)].map(([, list = "", specifier = ""]) => {
    const names = list.split(",").map((name) => name.trim().split(" as ")[0] ?? "");
    const values = names.filter((name) => name !== "" && !name.startsWith("type "));
    return { to: normalize(`${dirname(from)}/${specifier}`), names: values };
  });
}

function answersData(source: string, name: string): boolean {
  if (new RegExp(`export async function ${name}\\b`).test(source)) return true;
  const signature = `export function ${name}\\((?:(?!\nexport)[^])*?\\): ([^{]+) \\{`;
  const [, answer = ""] = new RegExp(signature).exec(source) ?? [];
  if (["void", "AppError"].includes(answer)) return true;

  const isPresenter = name.startsWith("present");
  const isConstant = /^[A-Z\d_]+$/.test(name);
  return isPresenter || isConstant;
}
