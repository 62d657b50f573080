import { escapeHtml } from "./escape-html.ts";
import type { HostLine, Letter } from "./letter.ts";

/*
 * Mail programs know little of CSS: tables lay the letter out, and every element has its own style.
 * The classes are for dark mode and narrow screens, where a program knows media queries. One that
 * does not shows the light form: each colour of a text has its background beside it, so that a
 * program that turns colours around by itself turns both.
 */
const STYLES = `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  .page { background-color: #111318 !important; }
  .card, .cell { background-color: #1c1f26 !important; border-color: #353a45 !important; }
  .head { background-color: #262a33 !important; border-color: #353a45 !important; }
  .ink { color: #e8eaee !important; }
  .quiet, .head { color: #a9afbb !important; }
  .link { color: #8ab4ff !important; }
}
@media (max-width: 480px) {
  .page { padding: 0 !important; }
  .card { padding: 20px 14px !important; border-width: 0 !important; border-radius: 0 !important; }
  .cell, .head { padding: 8px 5px !important; font-size: 13px !important; }
  .days { white-space: normal !important; }
}`;

const FONT =
  "-apple-system, BlinkMacSystemFont, 'Segoe UI', 'PingFang SC', 'Microsoft YaHei', sans-serif";
const PAPER = "background-color: #ffffff;";
const SHADE = "background-color: #f2f4f7;";
const INK = "color: #1b1f26;";
const QUIET = "color: #5c6470;";
const LINE = "1px solid #dfe3e9";
const WRAPPED = "word-break: break-word; overflow-wrap: anywhere;";
const UNBROKEN = "white-space: nowrap;";

const LOOK = {
  body: look("page", "margin: 0; padding: 0;", SHADE),
  page: look("page", "padding: 24px 12px;", SHADE),
  card: look(
    "card",
    `padding: 28px; border: ${LINE}; border-radius: 8px; text-align: left;`,
    `font-family: ${FONT}; font-size: 15px; line-height: 1.6;`,
    PAPER,
  ),
  kind: look("quiet", "margin: 0 0 4px; font-size: 13px;", QUIET),
  title: look("ink", "margin: 0 0 16px; font-size: 20px; line-height: 1.4;", INK),
  text: look("ink", "margin: 0 0 12px; white-space: pre-line;", WRAPPED, INK),
  head: look(
    "head",
    `padding: 8px 10px; border-bottom: ${LINE}; font-size: 13px; font-weight: 600;`,
    UNBROKEN,
    SHADE,
    QUIET,
  ),
  name: look("cell ink", cellStyle(), WRAPPED),
  end: look("cell ink", cellStyle(), UNBROKEN),
  timeLeft: look("cell days ink", cellStyle(), UNBROKEN),
  users: look("cell ink", "width: 20%;", cellStyle(), WRAPPED),
  more: look("quiet", "margin: 8px 0 0; font-size: 14px;", QUIET),
  button: look("button", "background-color: #1f5fd6; border-radius: 6px;"),
  buttonLink: look(
    "button-link",
    "display: inline-block; padding: 10px 22px;",
    "font-size: 15px; font-weight: 600; color: #ffffff; text-decoration: none;",
  ),
  footer: look("quiet", "margin: 28px 0 0; font-size: 12px; line-height: 1.7;", WRAPPED, QUIET),
  link: look("link", "color: #1f5fd6;"),
} as const;

/** For tables that only lay out, and for the one of the hosts. */
const BARE = 'cellpadding="0" cellspacing="0" border="0"';

export function renderHtml(letter: Letter): string {
  const { title } = letter;
  return `<!doctype html>
<html lang="zh-CN">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(title)}</title>
<style>${STYLES}
</style>
</head>
<body ${LOOK.body}>
<table role="presentation" width="100%" ${BARE}>
<tr><td align="center" bgcolor="#f2f4f7" ${LOOK.page}>
<table role="presentation" width="100%" ${BARE} style="max-width: 640px;">
<tr><td bgcolor="#ffffff" ${LOOK.card}>
${renderContent(letter)}
</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`;
}

function renderContent(letter: Letter): string {
  const { kind, title, greeting, message, hosts, more, button } = letter;
  const parts = [
    kind === null ? "" : `<p ${LOOK.kind}>${escapeHtml(kind)}</p>`,
    `<h1 ${LOOK.title}>${escapeHtml(title)}</h1>`,
    `<p ${LOOK.text}>${escapeHtml(greeting)}</p>`,
    `<p ${LOOK.text}>${escapeHtml(message)}</p>`,
  ];
  if (hosts.length > 0) parts.push(renderHosts(letter));
  if (more !== null) parts.push(`<p ${LOOK.more}>${escapeHtml(more)}</p>`);
  if (button !== null) parts.push(renderButton(button));
  parts.push(renderFooter(letter));
  return parts.join("\n");
}

function renderHosts(letter: Letter): string {
  const { columns, hasEnds, hasUsers, hosts } = letter;
  const labels = ["主机"];
  if (hasEnds) labels.push(columns.end, columns.timeLeft);
  if (hasUsers) labels.push(columns.users);
  const heads = labels.map(
    (label) =>
      `<th scope="col" align="left" bgcolor="#f2f4f7" ${LOOK.head}>${escapeHtml(label)}</th>`,
  );

  return `<table width="100%" ${BARE} style="border-collapse: collapse;">
<tr>${heads.join("")}</tr>
${hosts.map((host) => renderHost(letter, host)).join("\n")}
</table>`;
}

function renderHost({ hasEnds, hasUsers }: Letter, host: HostLine): string {
  const cells = [renderCell(LOOK.name, isolate(host.name))];
  if (hasEnds) {
    cells.push(renderCell(LOOK.end, escapeHtml(host.end)));
    cells.push(renderCell(LOOK.timeLeft, escapeHtml(host.timeLeft)));
  }
  if (hasUsers) cells.push(renderCell(LOOK.users, host.userNames.map(isolate).join("、")));
  return `<tr>${cells.join("")}</tr>`;
}

function renderCell(attributes: string, escaped: string): string {
  return `<td valign="top" bgcolor="#ffffff" ${attributes}>${escaped}</td>`;
}

function renderButton({ label, url }: NonNullable<Letter["button"]>): string {
  return `<table role="presentation" ${BARE} style="margin: 24px 0 0;">
<tr><td bgcolor="#1f5fd6" ${LOOK.button}>
<a href="${escapeHtml(url)}" ${LOOK.buttonLink}>${escapeHtml(label)}</a>
</td></tr>
</table>`;
}

function renderFooter({ reason, switchOff, accountUrl }: Letter): string {
  const sentences = [escapeHtml(reason), escapeHtml(switchOff)];
  if (accountUrl !== null) {
    sentences.push(`<a href="${escapeHtml(accountUrl)}" ${LOOK.link}>打开个人设置</a>`);
  }
  return `<p ${LOOK.footer}>${sentences.join("<br>")}</p>`;
}

function look(classes: string, ...styles: readonly string[]): string {
  return `class="${classes}" style="${styles.join(" ")}"`;
}

function cellStyle(): string {
  return `padding: 9px 10px; border-bottom: ${LINE}; font-size: 14px; ${PAPER} ${INK}`;
}

/** A name of another writing direction keeps it to itself. */
function isolate(name: string): string {
  return `<bdi>${escapeHtml(name)}</bdi>`;
}
