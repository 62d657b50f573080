import { csvText } from "@shared/spreadsheet.ts";

/** Saves rows of cells as a CSV file. The byte order mark makes Excel read it as UTF-8. */
export function downloadCsv(fileName: string, rows: readonly (readonly string[])[]): void {
  const blob = new Blob(["\uFEFF", csvText(rows)], { type: "text/csv;charset=utf-8" });
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = url;
  link.download = fileName;
  link.click();
  // The browser may still be reading it.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
