import { expect, it } from "vitest";
import { csvText } from "../../src/shared/csv-text.ts";
import { tabbedText } from "../../src/shared/spreadsheet.ts";

/** Cells that a spreadsheet would calculate. */
const FORMULAS = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1+1", "－1"];

it.each(FORMULAS)("%j begins with an apostrophe in both", (formula) => {
  expect(csvText([[formula]])).toMatch(/^"?'/);
  expect(tabbedText([[formula]])).toMatch(/^"?'/);
});

it.each([
  ["web-01", "web-01"],
  ["a=b", "a=b"],
  ['12" 机架', '"12"" 机架"'],
  ['"引号', '"""引号"'],
  ["一\t二", '"一\t二"'],
  ["一\n二", '"一\n二"'],
  ['=A1&"x"', `"'=A1&""x"""`],
])("tabbedText writes %j as %j", (cell, written) => {
  expect(tabbedText([[cell]])).toBe(written);
});

it("tabbedText puts cells between tabs and rows on lines", () => {
  expect(
    tabbedText([
      ["主机", "IP"],
      ["web-01", ""],
    ]),
  ).toBe("主机\tIP\nweb-01\t");
});

it("csvText quotes what would end a cell, and ends every line", () => {
  expect(
    csvText([
      ["主机", 'a"b'],
      ["x,y", ""],
    ]),
  ).toBe('主机,"a""b"\r\n"x,y",\r\n');
});
