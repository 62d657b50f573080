import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

const ROOT = join(import.meta.dirname, "../..");

/** A deliberate fault of one place, and the test that must find it. */
const Fault = z.strictObject({
  name: z.string(),
  file: z.string(),
  /** Text that is in the file exactly once, whatever its layout. */
  find: z.string(),
  replace: z.string(),
  test: z.string(),
  /** Part of the title of the test that finds the fault. */
  title: z.string(),
  /** The test needs concurrent sessions, which the embedded database lacks. */
  needs: z.literal("postgresql").optional(),
});
export type Fault = z.infer<typeof Fault>;

export function readFaults(): Fault[] {
  const text = readFileSync(join(import.meta.dirname, "faults.json"), "utf8");
  return z.array(Fault).parse(JSON.parse(text));
}

/** The source with the fault in it; null when its text is not there exactly once. */
export function applyFault(source: string, { find, replace }: Fault): string | null {
  const pattern = ignoringLayout(find);
  if ([...source.matchAll(pattern)].length !== 1) return null;
  return source.replace(pattern, () => replace);
}

/** Why a fault does not fit the sources any more; null when it does. */
export function misfitOf(fault: Fault): string | null {
  const { file, test } = fault;
  if (!existsSync(join(ROOT, test))) return `there is no ${test}`;
  if (!existsSync(join(ROOT, file))) return `there is no ${file}`;

  const source = readFileSync(join(ROOT, file), "utf8");
  return applyFault(source, fault) === null ? `its text is not in ${file} exactly once` : null;
}

/**
 * A formatter may break lines anywhere between two tokens, and ends a list that it breaks with a
 * comma. Faults survive that: they are found by their tokens alone.
 */
function ignoringLayout(text: string): RegExp {
  const tokens = text.match(/\w+|[^\w\s]/g) ?? [];
  const patterns = tokens.map((token) => {
    const isClosing = [")", "]", "}"].includes(token);
    return isClosing ? `,?\\s*${escaped(token)}` : escaped(token);
  });
  return new RegExp(patterns.join("\\s*"), "g");
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}
