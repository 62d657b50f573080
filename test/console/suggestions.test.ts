import { expect, it } from "vitest";
import { matchingSuggestions } from "@/components/chips/suggestions";

const SUGGESTIONS = ["生产", "预生产", "DB", "测试"].map((text) => ({ text, detail: "" }));

/** What is offered for this text while these are chosen. */
function offered(typed: string, chosen: readonly string[] = []): string[] {
  return matchingSuggestions(SUGGESTIONS, typed, chosen).map(({ text }) => text);
}

it("all suggestions are offered before anything is typed", () => {
  expect(offered("")).toEqual(["生产", "预生产", "DB", "测试"]);
});

it("suggestions that begin with what is typed come before those that hold it", () => {
  expect(offered("产")).toEqual(["生产", "预生产"]);
  expect(offered(" 预")).toEqual(["预生产"]);
  expect(offered("生产")).toEqual(["生产", "预生产"]);
});

it("what is chosen already is not offered, in whatever case", () => {
  expect(offered("d", ["db"])).toEqual([]);
  expect(offered("d")).toEqual(["DB"]);
});
