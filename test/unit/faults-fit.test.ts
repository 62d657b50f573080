import { expect, it } from "vitest";
import { misfitOf, readFaults } from "../faults/faults.ts";

it.each(readFaults())("the deliberate fault fits the sources: $name", (fault) => {
  expect(misfitOf(fault), "edit test/faults/faults.json").toBeNull();
});
