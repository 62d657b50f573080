import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ROUTES } from "@/app/routes";

/** Whose lists name the pages. */
const SPECS = ["screens", "roles", "layout"].map((name) => `test/browser/${name}.spec.ts`);

it("every page has its address in the lists of the browser tests", () => {
  const specs = SPECS.map((file) => readFileSync(join(import.meta.dirname, "../..", file), "utf8"));
  const addresses = ROUTES.map(({ path }) => path)
    .filter((path) => !path.includes(":") && !path.includes("*"))
    // The management screens have a second address each.
    .map((path) => path.replace(/^\/super-admin/, ""));

  const missing = addresses.filter((path) => !specs.some((spec) => spec.includes(`"${path}"`)));

  expect(missing, `name these addresses in the lists of ${SPECS.join(", ")}`).toEqual([]);
});
