import type { ImportResult } from "@shared/imports.ts";
import type { CsvTable } from "@shared/read-csv.ts";
import type { ImportKind } from "./import-kind";

/** A user that an import has created with a random password. */
export interface NewPassword {
  readonly username: string;
  readonly name: string;
  readonly password: string;
}

/** In the order of the file. */
export function newPasswords(
  columns: ImportKind["columns"],
  table: CsvTable,
  result: ImportResult,
): NewPassword[] {
  const username = indexOf(columns, table, "username");
  const name = indexOf(columns, table, "name");
  const cellsOfLine = new Map(table.rows.map(({ line, cells }) => [line, cells]));

  return result.rows.flatMap(({ line, initialPassword }) => {
    if (initialPassword === undefined) return [];

    const cells = cellsOfLine.get(line) ?? [];
    return [
      { username: cells[username] ?? "", name: cells[name] ?? "", password: initialPassword },
    ];
  });
}

/** For a spreadsheet. */
export function passwordCells(passwords: readonly NewPassword[]): string[][] {
  return [
    ["用户名", "姓名", "初始密码"],
    ...passwords.map(({ username, name, password }) => [username, name, password]),
  ];
}

function indexOf(columns: ImportKind["columns"], { header }: CsvTable, field: string): number {
  const column = columns.find((one) => one.field === field);
  return header.indexOf(column?.header ?? "");
}
