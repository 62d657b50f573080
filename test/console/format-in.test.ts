import { expect, it } from "vitest";
import { formatIn } from "../../src/client/lib/format.ts";

const NOW = 1_800_000_000;
const HOUR = 3_600;

it.each([
  [59, "即将"],
  [60, "1 分钟后"],
  [HOUR - 31, "59 分钟后"],
  [HOUR - 30, "1 小时后"],
  [23 * HOUR, "23 小时后"],
  [24 * HOUR - 1_800, "1 天后"],
])("a moment in %i s is %s, in the largest unit that is full", (wait, text) => {
  expect(formatIn(NOW + wait, NOW)).toBe(text);
});
