import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseAst } from "rolldown/parseAst";
import { expect, it } from "vitest";
import { z } from "zod";

const CLIENT = join(import.meta.dirname, "../../src/client");
/** Components that put text among their children into elements by themselves. */
const WRAPPING = ["Button", "Badge"];
/** Props that hold an element or nothing, and a component of another package that does. */
const OPTIONAL = ["icon", "leading", "trailing", "action", "actions", "aside", "Indicator"];
/** What is named so, or called, stands for elements. */
const ELEMENTS = ["children", "content", "input", "wrapText", "map", "from"];

/** A node of the syntax tree: https://github.com/estree/estree, and the JSX nodes of acorn-jsx. */
type Node = z.infer<typeof Node>;
const Node = z.looseObject({ type: z.string(), start: z.number() });

/**
 * Translators replace text nodes by elements of their own. React then fails when it removes such a
 * text, or inserts something before it. So text that comes and goes beside others, or that follows
 * something that comes and goes, stands in an element of its own.
 */
it("text beside what comes and goes stands in an element of its own", () => {
  const found = globSync("**/*.tsx", { cwd: CLIENT }).flatMap((file) => {
    const source = readFileSync(join(CLIENT, file), "utf8");
    return bareTexts(source).map((start) => `${file}:${source.slice(0, start).split("\n").length}`);
  });

  expect(found).toEqual([]);
});

it.each([
  ["after an icon that is swapped", "const a = <p>{on ? <A /> : <B />}text</p>"],
  ["after an icon that may be absent", "const a = <p>{on && <A />}text</p>"],
  ["after the mark of a menu", "const a = <p><Indicator />{label}</p>"],
  ["after an icon from a variable", "function C({ icon: Icon }) { return <p><Icon />{name}</p>; }"],
  ["after a list", "const a = <p>{rows.map(draw)}text</p>"],
  ["that may be absent beside others", "const a = <p><b />{on ? 'text' : null}</p>"],
  ["in a fragment that may be absent", "const a = <p>{on ? <>text<b /></> : null}</p>"],
  ["in a fragment that a component returns", "function C() { return <>text<b /></>; }"],
])("the rule finds text %s", (_where, source) => {
  expect(bareTexts(source)).toHaveLength(1);
});

it.each([
  ["alone in its element", "const a = <p>{on ? 'text' : null}</p>"],
  ["before what may be absent", "const a = <p>text{on ? <A /> : null}</p>"],
  ["in an element of its own", "const a = <p>{on ? <A /> : <B />}<span>text</span></p>"],
  ["after what is always there", "const a = <p><A />text</p>"],
])("the rule passes text %s", (_where, source) => {
  expect(bareTexts(source)).toEqual([]);
});

/** Where the texts begin that break the rule. */
function bareTexts(source: string): number[] {
  const tree = Node.parse(parseAst(source, { lang: "tsx" }));
  const variables = new Set<string>();
  const found: number[] = [];
  visit(tree, (node) => {
    for (const name of declaredComponents(node)) variables.add(name);
  });
  visit(tree, (node, parents) => {
    if (node.type === "JSXElement") checkSiblings(childrenOf(node), WRAPPING.includes(tagOf(node)));
    if (node.type === "JSXFragment") {
      const children = childrenOf(node);
      if (isRemovable(parents)) found.push(...children.filter(isText).map(({ start }) => start));
      else checkSiblings(children, false);
    }
  });
  return found;

  function checkSiblings(children: readonly Node[], isWrapped: boolean): void {
    if (children.length < 2 || isWrapped) return;
    const firstUnstable = children.findIndex((child) => isUnstable(child, variables));
    for (const [index, child] of children.entries()) {
      const isBehind = firstUnstable !== -1 && index > firstUnstable;
      if ((isBehind && isText(child)) || isOptionalText(child)) found.push(child.start);
    }
  }
}

/** Names of components that are chosen inside a function: `const Icon = …`, `{ icon: Icon }`. */
function declaredComponents(node: Node): string[] {
  const declared = node.type === "VariableDeclarator" ? inner(node, "id") : undefined;
  const renamed = node.type === "Property" ? inner(node, "value") : undefined;
  const isChosen = declared !== undefined && inner(node, "init")?.type === "ConditionalExpression";
  return [isChosen ? declared : undefined, renamed].flatMap((one) => {
    const name = one?.type === "Identifier" ? String(one.name) : "";
    return /^[A-Z]/.test(name) ? [name] : [];
  });
}

/** Whether it may be absent, be another element next time, or be several. */
function isUnstable(child: Node, variables: ReadonlySet<string>): boolean {
  if (child.type === "JSXElement")
    return variables.has(tagOf(child)) || OPTIONAL.includes(tagOf(child));
  if (child.type !== "JSXExpressionContainer") return false;
  const expression = inner(child, "expression");
  if (expression === undefined) return false;
  if (expression.type === "Identifier") return OPTIONAL.includes(String(expression.name));
  if (expression.type === "CallExpression") return nameOf(inner(expression, "callee")) === "map";
  const branches = branchesOf(expression);
  return branches.length > 1 && !branches.every((branch) => isWords(branch) || isName(branch));
}

function isText(child: Node): boolean {
  if (child.type === "JSXText") return true;
  const expression = inner(child, "expression");
  if (child.type !== "JSXExpressionContainer" || expression === undefined) return false;
  const branches = branchesOf(expression);
  if (branches.some(isWords)) return true;
  // What an element may stand in for is one as well.
  return (
    !branches.some(isElement) &&
    branches.some((branch) => isName(branch) && !isNamedElement(branch))
  );
}

function isOptionalText(child: Node): boolean {
  const expression =
    child.type === "JSXExpressionContainer" ? inner(child, "expression") : undefined;
  if (expression === undefined || branchesOf(expression).length < 2) return false;
  return (
    isText(child) && !branchesOf(expression).every((branch) => isWords(branch) || isName(branch))
  );
}

function isElement({ type }: Node): boolean {
  return type === "JSXElement" || type === "JSXFragment";
}

function isName(node: Node): boolean {
  return (
    ["Identifier", "MemberExpression", "CallExpression", "ChainExpression"].includes(node.type) &&
    !isNothing(node)
  );
}

function isNamedElement(node: Node): boolean {
  return ELEMENTS.includes(nameOf(inner(node, "callee") ?? node));
}

/** A text that is there for certain. */
function isWords(node: Node): boolean {
  return (
    node.type === "TemplateLiteral" ||
    (node.type === "Literal" && !isNothing(node) && node.value !== false)
  );
}

function isNothing(node: Node): boolean {
  return (
    (node.type === "Literal" && (node.value === null || node.value === "")) ||
    node.name === "undefined"
  );
}

/** Whether the fragment itself comes and goes, or is all that a component draws. */
function isRemovable(parents: readonly Node[]): boolean {
  for (const { type } of parents.toReversed()) {
    if (["ConditionalExpression", "LogicalExpression", "ReturnStatement"].includes(type))
      return true;
    if (["JSXAttribute", "JSXElement", "VariableDeclarator"].includes(type)) return false;
  }
  return false;
}

/** What the expression may be: the branches of a condition, else itself. */
function branchesOf(node: Node): Node[] {
  const ends = {
    ConditionalExpression: ["consequent", "alternate"],
    LogicalExpression: ["left", "right"],
  };
  const names =
    node.type === "ConditionalExpression" ? ends.ConditionalExpression : ends.LogicalExpression;
  if (node.type !== "ConditionalExpression" && node.type !== "LogicalExpression") return [node];
  return names.flatMap((name) => {
    const branch = inner(node, name);
    // Of `condition && element` only what is drawn counts, and nothing.
    if (name === "left" && node.operator === "&&")
      return [{ ...node, type: "Literal", value: null }];
    return branch === undefined ? [] : branchesOf(branch);
  });
}

/** Without blanks between lines, which draw nothing. */
function childrenOf(node: Node): Node[] {
  const children = z.array(Node).parse(node.children);
  return children.filter((child) => {
    if (child.type === "JSXText") return /\S/.test(String(child.value));
    return inner(child, "expression")?.type !== "JSXEmptyExpression";
  });
}

function tagOf(node: Node): string {
  const opening = inner(node, "openingElement");
  return opening === undefined ? "" : nameOf(inner(opening, "name"));
}

function nameOf(node: Node | undefined): string {
  if (node?.type === "MemberExpression") return nameOf(inner(node, "property"));
  return String(node?.name ?? "");
}

function inner(node: Node, name: string): Node | undefined {
  const child = node[name];
  return isNode(child) ? child : undefined;
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && "start" in value;
}

function visit(
  node: Node,
  see: (node: Node, parents: readonly Node[]) => void,
  parents: readonly Node[] = [],
): void {
  see(node, parents);
  for (const value of Object.values(node)) {
    for (const child of [value].flat()) {
      if (isNode(child)) visit(child, see, [...parents, node]);
    }
  }
}
