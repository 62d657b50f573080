import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

/** A directory that is removed after the tests of the file. */
export function scratchDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "host-console-test-"));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}
