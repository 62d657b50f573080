import { expect, it } from "vitest";
import { formatNumber } from "../../src/client/lib/format-number.ts";

it.each([
  [0, "0"],
  [1_000, "1,000"],
  [1_234_567, "1,234,567"],
  [-123_456, "-123,456"],
  [1_234.56789, "1,234.56789"],
])("formatNumber formats %d like the browser's own formatter, %s", (value, text) => {
  expect(formatNumber(value)).toBe(text);
  expect(new Intl.NumberFormat("zh-CN", { maximumFractionDigits: 5 }).format(value)).toBe(text);
});
