import { expect, it } from "vitest";
import { dropInvisible, dropInvisibleEnds, trimText } from "../../src/shared/invisible-text.ts";

it.each([
  ["plain text", "web 01", "web 01"],
  ["blanks", "\t\u3000web\n", "web"],
  ["a byte order mark", "\ufeffweb", "web"],
  ["zero-width characters among blanks", "\u200b web \u2060\u00ad ", "web"],
  ["joiners at the ends only", "\u200d👨\u200d👩\u200d", "👨\u200d👩"],
  ["no form of an emoji", "❤\ufe0f\u200b", "❤\ufe0f"],
  ["no tags of a flag", "🏴\u{e0067}\u{e0062}\u{e007f}", "🏴\u{e0067}\u{e0062}\u{e007f}"],
  ["everything where nothing is seen", "\u3164\u2800\u200f\ufe0f\u{e0041}", ""],
])("trimText removes %s around a text", (_what, text, trimmed) => {
  expect(trimText(text)).toBe(trimmed);
});

it.each([
  ["keeps blanks alone", " web\n", " web\n"],
  ["drops an end that holds an invisible character", " web \u200b", " web"],
  ["leaves nothing of blanks", " \n", ""],
])("dropInvisibleEnds %s", (_what, text, kept) => {
  expect(dropInvisibleEnds(text)).toBe(kept);
});

it("dropInvisible removes every invisible character and keeps blanks", () => {
  expect(dropInvisible("\ufefforg-\u200b1\torg-2 \u200d")).toBe("org-1\torg-2 ");
});

it("trimText takes a long run of invisible characters in linear time", () => {
  const run = "\u200b".repeat(200_000);

  const before = process.cpuUsage();
  expect(trimText(`${run}a${run}b${run}`)).toBe(`a${run}b`);

  expect(process.cpuUsage(before).user / 1_000).toBeLessThan(1_000);
});
