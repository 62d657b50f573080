/**
 * Tables as text that a spreadsheet reads: a file of comma-separated values, or cells between tabs
 * on the clipboard.
 *
 * Names come from outside, and a cell that begins with one of these characters is a formula: it may
 * run a program or send the table away. Spreadsheets of Chinese and Japanese take the full-width
 * forms for the same. An apostrophe in front makes it text.
 */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

type Row = readonly string[];

/** Every cell is quoted, and every line ends with CR LF (RFC 4180). */
export function csvText(rows: readonly Row[]): string {
  return rows.map((cells) => `${cells.map((cell) => quote(defuse(cell))).join(",")}\r\n`).join("");
}

/**
 * Quoted is only what would end a cell too early or late, since the text is pasted into mails, too:
 * a tab, the end of a line, or a quotation mark, after which a spreadsheet looks for the second.
 */
export function tabbedText(rows: readonly Row[]): string {
  return rows.map((cells) => cells.map(tabbedCell).join("\t")).join("\n");
}

function tabbedCell(cell: string): string {
  const text = defuse(cell);
  return /["\t\r\n]/.test(text) ? quote(text) : text;
}

function defuse(cell: string): string {
  return FORMULA.test(cell) ? `'${cell}` : cell;
}

function quote(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
