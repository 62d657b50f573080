import { expect, it } from "vitest";
import { actionOptions } from "@/features/audit/action-options";

it("every group of actions has a Chinese label", () => {
  const labels = actionOptions(undefined).map(({ label }) => label);

  expect(labels.filter((label) => /^[a-z]/i.test(label))).toEqual([]);
});
