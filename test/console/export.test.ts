import { expect, it } from "vitest";
import { RowCounter } from "@/components/export/row-counter";

const encoder = new TextEncoder();

/** Counts a text that arrives in portions of so many bytes. */
function countRows(text: string, portion: number): number {
  const counter = new RowCounter();
  const bytes = encoder.encode(text);
  for (let start = 0; start < bytes.length; start += portion) {
    counter.add(bytes.subarray(start, start + portion));
  }
  return counter.rows;
}

it.each([1, 3, 1000])("rows are counted without the header, in portions of %s bytes", (portion) => {
  const text = "\uFEFF主机,状态\r\nweb-1,运行中\r\nweb-2,已停止\r\n";

  expect(countRows(text, portion)).toBe(2);
});

it("a line break or a quotation mark inside of a cell ends no row", () => {
  const text = '主机,备注\r\nweb-1,"第一行\r\n第二行 ""引用"""\r\nweb-2,无\r\n';

  expect(countRows(text, 5)).toBe(2);
});

it("nothing but a header is no row", () => {
  expect(countRows("主机,状态\r\n", 100)).toBe(0);
});
