import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { gzipSync } from "node:zlib";
import { z } from "zod";

/**
 * Holds the gzipped JavaScript that each page loads before it draws against a budget in kB. What a
 * page imports lazily does not count. Reads Vite's manifest of the built console.
 */
const CONSOLE = join(import.meta.dirname, "../dist/client");
const Manifest = z.record(
  z.string(),
  z.object({ file: z.string(), imports: z.array(z.string()).default([]) }),
);
/** What a person on a slow phone waits for before the sign-in, and before a page, is drawn. */
const BUDGETS = { login: 160, page: 300 };
/** Around every page behind the sign-in. */
const FRAME = ["shell.tsx", "sync-indicator.tsx", "notice-bell.tsx"];

const manifest = Manifest.parse(
  JSON.parse(readFileSync(join(CONSOLE, ".vite/manifest.json"), "utf8")),
);
const pages = Object.keys(manifest).filter((name) => name.endsWith("-page.tsx"));
const frame = Object.keys(manifest).filter((name) => FRAME.includes(basename(name)));
if (frame.length !== FRAME.length) throw new Error(`the manifest does not name ${FRAME}`);
if (pages.length < 10) throw new Error(`the manifest names only ${pages.length} pages`);

for (const page of pages) {
  const isSignIn = basename(page) === "login-page.tsx";
  const chunks = closure(["index.html", ...(isSignIn ? [] : frame), page]);
  const bytes = [...chunks].map(
    (name) => gzipSync(readFileSync(join(CONSOLE, chunk(name).file)), { level: 9 }).length,
  );
  const kilobytes = bytes.reduce((sum, size) => sum + size, 0) / 1000;
  const budget = isSignIn ? BUDGETS.login : BUDGETS.page;
  if (kilobytes > budget) process.exitCode = 1;
  const weight = `${kilobytes.toFixed(1).padStart(7)} kB of ${budget}`;
  console.log(`${page.padEnd(46)}${weight}${kilobytes > budget ? ": TOO HEAVY" : ""}`);
}

/** The chunks and everything that they import statically. */
function closure(names: readonly string[], found = new Set<string>()): ReadonlySet<string> {
  for (const name of names) {
    if (!found.has(name)) closure(chunk(name).imports, found.add(name));
  }
  return found;
}

function chunk(name: string) {
  const entry = manifest[name];
  if (entry === undefined) throw new Error(`the manifest has no ${name}`);
  return entry;
}
