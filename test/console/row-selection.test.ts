import { createElement } from "react";
import { renderToString } from "react-dom/server";
import { expect, it } from "vitest";
import { useRowSelection } from "@/lib/use-row-selection";

interface Row {
  readonly id: string;
  readonly name: string;
}

/** The names of the chosen rows, once those of `first` were chosen and the page shows `then`. */
function chosenNames(first: readonly Row[], then: () => readonly Row[]): string {
  function Page() {
    const selection = useRowSelection(then());
    if (selection.chosen.length === 0) selection.replace(first);
    return selection.chosen.map(({ name }) => name).join();
  }
  return renderToString(createElement(Page));
}

it("a chosen row is kept up to date with the page", () => {
  const shown = chosenNames([{ id: "a", name: "web-1" }], () => [{ id: "a", name: "web-2" }]);

  expect(shown).toBe("web-2");
});

it("a row that is chosen on another page stays as it was", () => {
  const shown = chosenNames([{ id: "a", name: "web-1" }], () => [{ id: "b", name: "web-2" }]);

  expect(shown).toBe("web-1");
});

it("rows that are new objects at each drawing end in a drawing", () => {
  const shown = chosenNames([{ id: "a", name: "web-1" }], () => [{ id: "a", name: "web-1" }]);

  expect(shown).toBe("web-1");
});

/** The chosen ids, once the rows of these positions were clicked, the last one with Shift. */
function clickedIds(clicks: readonly number[]): string {
  const rows = ["a", "b", "c", "d", "e"].map((id) => ({ id, name: id }));
  const left = [...clicks];

  function Page() {
    const selection = useRowSelection(rows);
    const next = left.shift();
    const row = next === undefined ? undefined : rows[next];
    if (row !== undefined) selection.toggle(row, left.length === 0);
    return selection.chosen.map(({ id }) => id).join("");
  }
  return renderToString(createElement(Page));
}

it.each([
  ["downwards", [1, 3], "bcd"],
  ["upwards", [3, 1], "dbc"],
  ["on the row itself", [2], "c"],
])("Shift chooses all rows from the one clicked last, %s", (_way, clicks, chosen) => {
  expect(clickedIds(clicks)).toBe(chosen);
});
