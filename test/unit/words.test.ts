import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseAst } from "rolldown/parseAst";
import { expect, it } from "vitest";
import { z } from "zod";

const SRC = join(import.meta.dirname, "../../src");

/** What is said in place of the right word, which docs/glossary.md explains. */
interface Banned {
  readonly wrong: RegExp;
  readonly right: string;
  /** Where it stands all the same, and why. */
  readonly except?: Readonly<Record<string, string>>;
}

const BANNED: readonly Banned[] = [
  { wrong: /全部配置|按配置同步|所属的?配置|换配置/, right: "云账号" },
  { wrong: /(?<!云)账号(余额|欠费)/, right: "云账号" },
  { wrong: /（配置、|配置、系统/, right: "规格, of a host" },
  { wrong: /暂缓|待确认移除|暂不.{0,6}标记为已消失/, right: "待确认消失" },
  { wrong: /登记付款/, right: "标记完成" },
  { wrong: /^重置$/, right: "清除筛选" },
  { wrong: /^我的主机$/, right: "主机管理" },
  { wrong: /使用人|承租/, right: "用户" },
  { wrong: /云平台/, right: "云服务商" },
  {
    wrong: /^刷新$/,
    right: "nothing: lists are live",
    except: { "client/components/refresh-button.tsx": "the owner wants it on the list of users" },
  },
];

/** A blank stands between Chinese and Latin letters or digits, but in these. */
const UNSPACED = [
  // A role, as the owner words it.
  "C端",
  // Limits, as the owner words them.
  /分配天数必须在.*/,
  /至少为\d.*/,
  // Names that the provider gave.
  /（[^（）]*\d）/,
  "可用区E",
  "64位",
];
const MIXED = /\p{Script=Han}[A-Za-z0-9]|[A-Za-z0-9]\p{Script=Han}/u;

/** A node of the syntax tree, see https://github.com/estree/estree. */
const Node = z.looseObject({ type: z.string(), start: z.number() });
const Template = z.object({ cooked: z.string().nullable() });

interface Text {
  /** In `src`. */
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

/** All Chinese that the console and the server say; the simulator stands for the provider. */
const TEXTS: readonly Text[] = globSync("**/*.{ts,tsx}", { cwd: SRC })
  .filter((file) => !file.startsWith("simulator/"))
  .flatMap(textsOf)
  .filter(({ text }) => /\p{Script=Han}/u.test(text));

it.each(BANNED)("$wrong is $right", ({ wrong, except = {} }) => {
  const found = TEXTS.filter(({ file, text }) => wrong.test(text) && !(file in except));

  expect(found).toEqual([]);
});

it("exceptions of words still stand where they are said to", () => {
  const unused = BANNED.flatMap(({ wrong, except = {} }) =>
    Object.keys(except).filter(
      (name) => !TEXTS.some(({ file, text }) => file === name && wrong.test(text)),
    ),
  );

  expect(unused).toEqual([]);
});

it("a blank stands between Chinese and Latin", () => {
  const found = TEXTS.filter(({ text }) => {
    const others = UNSPACED.reduce<string>(
      (rest, known) => rest.replaceAll(toGlobal(known), ""),
      text,
    );
    return MIXED.test(others);
  });

  expect(found).toEqual([]);
});

function toGlobal(known: string | RegExp): RegExp {
  return new RegExp(known, "g");
}

/** String literals, the fixed parts of templates, and the text between tags. */
function textsOf(file: string): Text[] {
  const source = readFileSync(join(SRC, file), "utf8");
  // Most files of the server say nothing.
  if (!/\p{Script=Han}/u.test(source)) return [];

  const texts: Text[] = [];
  visit(parseAst(source, { lang: file.endsWith("x") ? "tsx" : "ts" }));
  return texts;

  function visit(value: unknown): void {
    if (Array.isArray(value)) {
      for (const item of value) visit(item);
      return;
    }
    const { data: node } = Node.safeParse(value);
    if (node === undefined) return;

    const text = textOf(node);
    if (text !== null) {
      const line = source.slice(0, node.start).split("\n").length;
      texts.push({ file, line, text: text.trim() });
    }
    for (const inner of Object.values(node)) visit(inner);
  }
}

function textOf(node: z.infer<typeof Node>): string | null {
  switch (node.type) {
    case "Literal":
    case "JSXText":
      return typeof node.value === "string" ? node.value : null;
    case "TemplateElement":
      return Template.parse(node.value).cooked;
    default:
      return null;
  }
}
