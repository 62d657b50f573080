import { expect, it } from "vitest";
import { isNoteConflict } from "@/components/notes/note-conflict";

const BEFORE = "月结";

it("a note that nobody else changed is no conflict", () => {
  expect(isNoteConflict({ before: BEFORE, edited: "年结", stored: BEFORE })).toBe(false);
});

it("an edit conflicts with what somebody else wrote meanwhile", () => {
  expect(isNoteConflict({ before: BEFORE, edited: "年结", stored: "季结" })).toBe(true);
});

it("an edit conflicts with a note that somebody else cleared meanwhile", () => {
  expect(isNoteConflict({ before: BEFORE, edited: "年结", stored: "" })).toBe(true);
});

it("a note that is not edited conflicts with nothing", () => {
  expect(isNoteConflict({ before: BEFORE, edited: BEFORE, stored: "季结" })).toBe(false);
});

it("an edit does not conflict with itself once it is stored", () => {
  expect(isNoteConflict({ before: BEFORE, edited: "年结\n", stored: "年结" })).toBe(false);
});
