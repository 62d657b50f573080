/** What writes to the database: the ORM, the query builder, SQL. */
const WRITE = new RegExp(
  [
    String.raw`\.(?:nativeUpdate|nativeDelete|nativeInsert|upsert|upsertMany|insertMany|flush)\(`,
    String.raw`\bem\.(?:insert|persist|remove)\(`,
    String.raw`\.(?:insertInto|updateTable|deleteFrom)\(`,
    String.raw`\binsert into\b|\bdelete from\b|\bupdate \S+(?: \w+)?\s+set\b`,
  ].join("|"),
);
/** A declaration at the beginning of a line, up to the next one. */
const DECLARATION = /^(?:export )?(?:default )?(?:async )?(?:function\*?|class|const) (\w+)/gm;

/**
 * What runs inside a transaction: the arguments of `inTransaction` and `deleteInBatches`, and a
 * local function that is given its `em` alone.
 */
const IN_TRANSACTION = new RegExp(
  [
    String.raw`\b(?:inTransaction|deleteInBatches)\(`,
    String.raw`\((?:em|inside)(?:: \w+)?\)(?:: [^=\n]+)? => `,
    String.raw`(?<=\n +(?:async )?)function \w+\((?:em|inside): \w+\)[^{]*(?=\{)`,
  ].join("|"),
);
const MAIN = "server/main.ts";

/** A function, class or constant of a module. */
interface Declaration {
  readonly file: string;
  readonly name: string;
  readonly text: string;
  /** The text without what `inTransaction` runs. */
  readonly outside: string;
}

/**
 * The functions that may write outside of `inTransaction`, as `file: name`. A function that writes
 * is fine as long as everybody who calls it does so inside a transaction. So this starts at what
 * nobody calls, such as routers and `main`, follows the calls that are not inside a transaction,
 * and reports the writes that it comes to.
 */
export function findWritesOutsideTransactions(sources: ReadonlyMap<string, string>): string[] {
  const declarations = [...sources].flatMap(([file, source]) => declarationsOf(file, source));
  const named = Map.groupBy(declarations, ({ name }) => name);
  const imported = new Map([...sources].map(([file, source]) => [file, importedNames(source)]));

  function namedIn(text: string, { file, name: own }: Declaration): Declaration[] {
    const names = namesIn(text).filter((name) => name !== own);
    const found = names.flatMap((name) => named.get(name) ?? []);
    return found.filter((each) => each.file === file || imported.get(file)?.has(each.name));
  }

  const called = new Set(declarations.flatMap((each) => namedIn(each.text, each)));
  const begins = (each: Declaration) => each.file === MAIN || !called.has(each);
  const reached = new Set(declarations.filter(begins));
  for (const each of reached) {
    for (const callee of namedIn(each.outside, each)) reached.add(callee);
  }
  const writing = [...reached].filter(({ outside }) => WRITE.test(outside));
  return writing.map(({ file, name }) => `${file}: ${name}`).sort();
}

/** Also of `const { … } = await import(…)`. */
function importedNames(source: string): Set<string> {
  const lists = source.matchAll(
    /^import (?:type )?\{([^}]*)\}|\{([^}]*)\}\] = await Promise\.all\(\[[^\]]*import\(/gm,
  );
  return new Set([...lists].flatMap(([, names = "", late = ""]) => namesIn(names + late)));
}

function declarationsOf(file: string, source: string): Declaration[] {
  const text = source.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
  const found = [...text.matchAll(DECLARATION)];
  return found.map((match, index) => {
    const own = text.slice(match.index, found[index + 1]?.index);
    return { file, name: match[1] ?? "", text: own, outside: withoutTransactions(own) };
  });
}

function withoutTransactions(text: string): string {
  let rest = text;
  for (;;) {
    const found = IN_TRANSACTION.exec(rest);
    if (found === null) return rest;

    const end = endOfExpression(rest, found.index + found[0].replace(/\($/, "").length);
    rest = rest.slice(0, found.index) + rest.slice(end);
  }
}

/**
 * The end of the expression or block at `start`. Brackets in strings are counted too: they come in
 * pairs.
 */
function endOfExpression(text: string, start: number): number {
  let depth = 0;
  for (let index = start; index < text.length; index++) {
    const character = text.charAt(index);
    if ("([{".includes(character)) depth++;
    if (")]}".includes(character)) depth--;
    if (depth < 0 || (depth === 0 && ",;".includes(character))) return index;
    if (depth === 0 && "(){}".includes(character) && /[({]/.test(text.charAt(start)))
      return index + 1;
  }
  return text.length;
}

/**
 * Every name that a text mentions outside of strings, since a function may be passed on instead of
 * called.
 */
function namesIn(text: string): string[] {
  const called = text.replace(/\btypeof \w+|"[^"\n]*"/g, "");
  return [...new Set(called.match(/\b[A-Za-z_]\w*\b/g))];
}
