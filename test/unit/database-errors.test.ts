import { expect, it } from "vitest";
import { toAppError } from "../../src/server/platform/failures.ts";

const codeOf = (code: string) => toAppError(Object.assign(new Error("refused"), { code })).code;

it.each([
  ["08006", "the connection failed"],
  ["57P01", "the server is shut down"],
  ["53100", "the disk is full"],
  ["53200", "there is no memory"],
  ["53300", "there are too many connections"],
  ["58030", "the disk fails"],
  ["25P03", "the transaction was idle for too long"],
  ["25006", "it takes no writes"],
  ["57014", "the statement took too long"],
  ["55P03", "a lock is held"],
])("a database that answers %s (%s) is unavailable", (state) => {
  expect(codeOf(state)).toBe("UNAVAILABLE");
});

it.each(["23505", "42601", "22P02"])("a database that answers %s has met a bug", (state) => {
  expect(codeOf(state)).toBe("INTERNAL");
});
