/**
 * Cells as a spreadsheet reads them, from a file (`csv-text.ts`) or, between tabs, from the clipboard.
 *
 * Names come from outside, and a cell that begins with one of these characters is a formula: it may
 * run a program or send the table away. Spreadsheets of Chinese and Japanese take the full-width
 * forms for the same. An apostrophe in front makes it text. A text that looks as if it had got one
 * gets another, so that what an import takes off is always what an export has put there.
 */
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/;
const DEFUSED = /^'+[=+\-@\t\r\n＝＋－＠]/;

type Row = readonly string[];

/**
 * Quoted is only what would end a cell too early or late, since the text is pasted into mails, too:
 * a tab, the end of a line, or a quotation mark, after which a spreadsheet looks for the second.
 */
export function tabbedText(rows: readonly Row[]): string {
  return rows.map((cells) => cells.map(tabbedCell).join("\t")).join("\n");
}

function tabbedCell(cell: string): string {
  const text = defuseFormula(cell);
  return /["\t\r\n]/.test(text) ? quote(text) : text;
}

/** Text that a spreadsheet would take for a formula, as text. */
export function defuseFormula(cell: string): string {
  return FORMULA.test(cell) ? `'${cell}` : cell;
}

/** The text that a cell was before it was defused. */
export function restoreFormula(cell: string): string {
  return DEFUSED.test(cell) ? cell.slice(1) : cell;
}

function quote(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
