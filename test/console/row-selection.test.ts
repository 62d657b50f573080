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
