/** Saves rows of cells as a CSV file. The byte order mark makes Excel read it as UTF-8. */
export function downloadCsv(fileName: string, rows: readonly (readonly string[])[]): void {
  const text = rows.map((cells) => `${cells.map(quoted).join(",")}\r\n`).join("");
  const url = URL.createObjectURL(new Blob(["\uFEFF", text], { type: "text/csv;charset=utf-8" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = fileName;
  link.click();
  // The browser may still be reading it.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** A spreadsheet evaluates a cell that begins like a formula. */
function quoted(cell: string): string {
  const text = /^[=+\-@\t]/.test(cell) ? `'${cell}` : cell;
  return `"${text.replaceAll('"', '""')}"`;
}
