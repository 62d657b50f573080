import { expect, it } from "vitest";
import { mergeTags } from "@/features/hosts/merge-tags";

it("an edit keeps the tags that somebody else added meanwhile", () => {
  const tags = mergeTags({ before: ["生产"], edited: ["生产", "客户A"], stored: ["生产", "核心"] });

  expect(tags).toEqual(["生产", "核心", "客户A"]);
});

it("an edit does not bring back a tag that somebody else removed meanwhile", () => {
  const tags = mergeTags({ before: ["生产", "测试"], edited: ["生产", "核心"], stored: ["生产"] });

  expect(tags).toEqual(["生产", "核心"]);
});

it("an edit removes what it removed in whatever case it is stored by now", () => {
  const tags = mergeTags({ before: ["DB", "生产"], edited: ["生产"], stored: ["db", "生产"] });

  expect(tags).toEqual(["生产"]);
});

it("a tag that two people added is there once", () => {
  const tags = mergeTags({ before: [], edited: ["DB"], stored: ["db"] });

  expect(tags).toEqual(["db"]);
});

it("another spelling in the place of a tag is stored", () => {
  const tags = mergeTags({
    before: ["db", "生产"],
    edited: ["生产", "DB"],
    stored: ["db", "生产"],
  });

  expect(tags).toEqual(["生产", "DB"]);
});
