import { BYTE_ORDER_MARK, type CsvCell, csvText } from "../../../shared/csv-text.ts";

export interface CsvColumn<Row> {
  readonly header: string;
  readonly value: (row: Row) => CsvCell;
}

interface CsvTable<Row> {
  /** The beginning of the file's name, for programs, such as `hosts`. */
  readonly name: string;
  /** The same for people, such as 主机. */
  readonly title: string;
  readonly columns: readonly CsvColumn<Row>[];
  /**
   * The rows, in portions of some hundred. They are asked for while the file is sent, one portion
   * at a time, and only as fast as the caller takes them. Nothing may be read before the first is
   * asked for, since HEAD asks for none. Absent for a file that has its head alone.
   */
  readonly portions?: AsyncIterable<readonly Row[]>;
}

/** A table that is sent as a file while it is read: what an `exportProcedure` answers. */
export class CsvFile {
  readonly name: string;
  readonly title: string;
  /** Portions of the file, which may be read once. */
  readonly text: AsyncIterable<string>;
  /** Whether rows are read while it is sent, which is what a caller may do a few times at once. */
  readonly readsRows: boolean;

  constructor({ name, title, text, readsRows }: CsvFile) {
    this.name = name;
    this.title = title;
    this.text = text;
    this.readsRows = readsRows;
  }
}

export function csvFile<Row>({ name, title, columns, portions }: CsvTable<Row>): CsvFile {
  const readsRows = portions !== undefined;
  return new CsvFile({ name, title, text: textOf(columns, portions ?? noRows()), readsRows });
}

async function* noRows(): AsyncGenerator<readonly never[], void, undefined> {}

/** The head comes with the first rows, so that nothing is sent when these cannot be read. */
async function* textOf<Row>(
  columns: readonly CsvColumn<Row>[],
  portions: AsyncIterable<readonly Row[]>,
): AsyncGenerator<string, void, undefined> {
  let head = BYTE_ORDER_MARK + csvText([columns.map(({ header }) => header)]);

  for await (const rows of portions) {
    yield head + csvText(rows.map((row) => columns.map(({ value }) => value(row))));
    head = "";
  }
  if (head !== "") yield head;
}
