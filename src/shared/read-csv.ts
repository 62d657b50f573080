import { CsvError, parse } from "csv-parse/sync";
import { trimText } from "./invisible-text.ts";
import { restoreFormula } from "./spreadsheet.ts";

/*
 * Reads a table that a person has made: in a spreadsheet, an editor or by an export. The server
 * reads what is imported, and the console shows the same lines beside the result.
 *
 * Whoever sends a file may send anything, so every step is bounded before it is done. The text is
 * cut into records first, which costs little: a record ends at the end of a line before which the
 * quotation marks are even. A record that is too long, or has too many cells, is refused there. Only
 * what is left goes to the parser, some records at a time with a pause in between, because the
 * parser looks at each character and the server must go on answering others.
 */

export const MAX_IMPORT_BYTES = 5 * 1024 * 1024;
export const MAX_IMPORT_ROWS = 5_000;
const MAX_COLUMNS = 50;
/** Also empty ones. */
const MAX_RECORDS = 4 * MAX_IMPORT_ROWS;
const MAX_RECORD_CHARACTERS = 64 * 1024;
/** What is parsed between two pauses. */
const BLOCK_CHARACTERS = 16 * 1024;
const DELIMITERS = [",", ";", "\t"];

export interface CsvRow {
  /** Of a spreadsheet: the header is 1, empty lines count, a line break inside a cell does not. */
  readonly line: number;
  /** Without the apostrophe of an export. */
  readonly cells: readonly string[];
}

export interface CsvTable {
  readonly kind: "table";
  readonly header: readonly string[];
  /** Without those that are empty. */
  readonly rows: readonly CsvRow[];
}

export type CsvReading = CsvTable | { readonly kind: "refused"; readonly message: string };

/** The type of the file may name its charset. */
export async function readCsv(file: Blob): Promise<CsvReading> {
  try {
    const text = decode(new Uint8Array(await file.arrayBuffer()), charsetOf(file.type));
    assertNoBinary(text);
    return await readTable(text);
  } catch (error) {
    if (error instanceof Refusal) return { kind: "refused", message: error.message };
    throw error;
  }
}

class Refusal extends Error {}

const SIGNATURES = [
  {
    starts: ["504b0304", "d0cf11e0"],
    message: "这是 Excel 工作簿，请在表格软件中另存为 CSV 文件后再导入",
  },
  {
    starts: ["fffe", "feff"],
    message: "文件是 UTF-16 编码，请另存为 UTF-8 编码的 CSV 文件后再导入",
  },
];

const UNKNOWN_CHARSET = "无法识别文件的编码，请另存为 UTF-8 编码的 CSV 文件后再导入";

/** Null when the type names none. */
function charsetOf(type: string): string | null {
  return /;\s*charset="?([^";\s]+)/i.exec(type)?.[1]?.toLowerCase() ?? null;
}

/** Text that is no UTF-8 is GB18030, in which spreadsheets in China write CSV. */
function decode(bytes: Uint8Array, charset: string | null): string {
  const start = Array.from(bytes.subarray(0, 4), (byte) => byte.toString(16).padStart(2, "0"));
  const found = SIGNATURES.find(({ starts }) =>
    starts.some((each) => start.join("").startsWith(each)),
  );
  if (found !== undefined) throw new Refusal(found.message);

  const charsets = charset === null ? ["utf-8", "gb18030"] : [charset];
  for (const each of charsets) {
    const text = decodeAs(each, bytes);
    if (text !== null) return text.replace(/^\uFEFF/, "");
  }
  throw new Refusal(UNKNOWN_CHARSET);
}

function decodeAs(charset: string, bytes: Uint8Array): string | null {
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

function assertNoBinary(text: string): void {
  const index = text.indexOf("\0");
  if (index < 0) return;
  const line = text.slice(0, index).split("\n").length;
  throw new Refusal(`第 ${line} 行含有无效字符，文件可能不是 CSV`);
}

async function readTable(text: string): Promise<CsvTable> {
  const lineEnd = text.includes("\n") ? "\n" : "\r";
  const reader = new TableReader(lineEnd);
  for (const record of recordsOf(text, lineEnd)) {
    reader.add(record);
    if (!reader.isBlockFull) continue;

    reader.parseWaiting();
    await new Promise((resolve) => setTimeout(resolve));
  }
  return reader.end();
}

/** The records of a text with the ends of their lines. */
function* recordsOf(text: string, lineEnd: string): Generator<string> {
  let start = 0;
  let from = 0;
  let isQuoting = false;
  while (start < text.length) {
    const at = text.indexOf(lineEnd, from);
    const end = at < 0 ? text.length : at + 1;
    const quotes = countOf(text.slice(from, end), '"');
    if (quotes % 2 === 1) isQuoting = !isQuoting;
    from = end;

    const isEnd = !isQuoting || at < 0 || end - start > MAX_RECORD_CHARACTERS;
    if (!isEnd) continue;
    yield text.slice(start, end);
    start = end;
    isQuoting = false;
  }
}

/** Collects records, and parses those that wait together. */
class TableReader {
  readonly #recordDelimiter: string[];
  #delimiter = ",";
  #header: string[] | null = null;
  #records = 0;
  #line = 0;
  #waiting: string[] = [];
  #waitingCharacters = 0;
  /** The line of the first record that waits. */
  #firstLine = 1;
  readonly #rows: CsvRow[] = [];

  constructor(lineEnd: string) {
    this.#recordDelimiter = lineEnd === "\n" ? ["\r\n", "\n"] : ["\r"];
  }

  get isBlockFull(): boolean {
    return this.#waitingCharacters >= BLOCK_CHARACTERS;
  }

  add(record: string): void {
    this.#records += 1;
    if (this.#records > MAX_RECORDS) throw new Refusal("文件的行数太多，请删除空行后再导入");
    const isHeader = this.#header === null;
    if (isHeader && isBlank(record)) return;

    this.#line += 1;
    const line = this.#line;
    if (isHeader) this.#delimiter = delimiterOf(record);
    assertBounded(record, line, this.#delimiter);

    this.#waiting.push(record);
    this.#waitingCharacters += record.length;
    if (isHeader) this.#readHeader();
  }

  parseWaiting(): void {
    const firstLine = this.#firstLine;
    for (const [index, cells] of this.#parseBlock().entries()) {
      if (cells.every(isBlank)) continue;
      this.#rows.push({ line: firstLine + index, cells: cells.map(restoreFormula) });
    }
    if (this.#rows.length > MAX_IMPORT_ROWS) {
      throw new Refusal(`一次最多导入 ${MAX_IMPORT_ROWS} 行，请分成几个文件`);
    }
  }

  end(): CsvTable {
    this.parseWaiting();
    if (this.#header === null) throw new Refusal("文件是空的");
    return { kind: "table", header: this.#header, rows: this.#rows };
  }

  /** Spreadsheets write empty cells after the last column that was ever used. */
  #readHeader(): void {
    const [cells = []] = this.#parseBlock();
    const header = cells.map((cell) => trimText(restoreFormula(cell)));
    while (header.at(-1) === "") header.pop();

    this.#header = header;
  }

  #parseBlock(): string[][] {
    const records = this.#parse(this.#waiting.join(""));
    this.#waiting = [];
    this.#waitingCharacters = 0;
    this.#firstLine = this.#line + 1;
    return records;
  }

  #parse(text: string): string[][] {
    try {
      return parse(text, {
        delimiter: this.#delimiter,
        record_delimiter: this.#recordDelimiter,
        // A row of another length is a mistake in that row alone.
        relax_column_count: true,
      });
    } catch (error) {
      if (!(error instanceof CsvError)) throw error;
      const line = this.#firstLine + Number(error.records);
      throw new Refusal(`第 ${line} 行的引号不正确：有引号的内容须整个用英文双引号括起`);
    }
  }
}

/** The one that separates most cells of the header. */
function delimiterOf(header: string): string {
  const unquoted = withoutQuoted(header);
  const counts = DELIMITERS.map((delimiter) => countOf(unquoted, delimiter));
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ",";
}

function assertBounded(record: string, line: number, delimiter: string): void {
  if (record.length > MAX_RECORD_CHARACTERS) {
    const limit = `一行最多 ${MAX_RECORD_CHARACTERS} 个字符`;
    throw new Refusal(`第 ${line} 行太长，${limit}；也可能是引号没有成对`);
  }
  if (countOf(record, '"') % 2 === 1) throw new Refusal(`第 ${line} 行的引号没有成对`);
  const columns = countOf(withoutQuoted(record), delimiter) + 1;
  if (columns > MAX_COLUMNS) throw new Refusal(`第 ${line} 行的列太多，最多 ${MAX_COLUMNS} 列`);
}

function withoutQuoted(record: string): string {
  return record.replace(/"[^"]*"/g, "");
}

function countOf(text: string, character: string): number {
  let count = 0;
  for (let at = text.indexOf(character); at >= 0; at = text.indexOf(character, at + 1)) count += 1;
  return count;
}

function isBlank(text: string): boolean {
  return trimText(text) === "";
}
