import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";

/**
 * How much JavaScript each route loads before it draws, gzipped, held against a budget: node scripts/check-weight.ts [LOGIN_KB] [ROUTE_KB].
 * What is imported lazily later on (the command palette) does not count. Reads dist/client as `vite build` left it.
 */
const ROOT = join(import.meta.dirname, "..");
const CONSOLE = join(ROOT, "dist/client");
const LOGIN_KB = Number(process.argv[2] ?? 135);
const ROUTE_KB = Number(process.argv[3] ?? 300);
/** Behind the sign-in every page comes in a frame; a super admin's has the sync indicator. */
const FRAME = ["shell", "sync-indicator"];
const ROUTES: readonly { readonly path: string; readonly chunks: readonly string[] }[] = [
  { path: "/login", chunks: ["login-page"] },
  { path: "/change-password", chunks: ["password-due-page"] },
  { path: "/dashboard", chunks: [...FRAME, "dashboard-page"] },
  { path: "/hosts", chunks: [...FRAME, "hosts-page"] },
  { path: "/users", chunks: [...FRAME, "users-page"] },
  { path: "/configs", chunks: [...FRAME, "configs-page"] },
  { path: "/system-config", chunks: [...FRAME, "system-config-page"] },
  { path: "/renewals", chunks: [...FRAME, "renewals-page"] },
  { path: "/client/renewals", chunks: [...FRAME, "own-renewals-page"] },
  { path: "/account", chunks: [...FRAME, "account-page"] },
  { path: "/admin/*", chunks: [...FRAME, "coming-page"] },
];

const problems = [...unlistedPages(), ...ROUTES.flatMap(overBudget)];
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;

function overBudget({ path, chunks }: (typeof ROUTES)[number]): string[] {
  const files = new Set([...firstFiles(), ...chunks.map(fileOf)].flatMap((file) => [...withImports(file)]));
  const weights = [...files].map((file) => gzipSync(readFileSync(join(CONSOLE, file)), { level: 9 }).length);
  const kilobytes = weights.reduce((sum, weight) => sum + weight, 0) / 1000;
  const budget = path === "/login" ? LOGIN_KB : ROUTE_KB;
  console.info(`${path.padEnd(18)}${kilobytes.toFixed(1).padStart(7)} kB of ${budget}, ${files.size} files`);
  return kilobytes <= budget
    ? []
    : [`${path} loads ${kilobytes.toFixed(1)} kB of JavaScript, allowed are ${budget} kB`];
}

/** The file and everything that it imports statically. */
function withImports(file: string, met = new Set<string>()): ReadonlySet<string> {
  if (met.has(file)) return met;
  met.add(file);
  const code = readFileSync(join(CONSOLE, file), "utf8");
  for (const [, imported = ""] of code.matchAll(/\b(?:from|import)\s*"\.\/([\w.-]+\.js)"/g)) {
    withImports(join(dirname(file), imported), met);
  }
  return met;
}

/** The scripts that the document itself names. */
function firstFiles(): string[] {
  const html = readFileSync(join(CONSOLE, "index.html"), "utf8");
  const files = [...html.matchAll(/<script [^>]*src="\/([^"]+\.js)"/g)].map(([, file = ""]) => file);
  if (!files.some((file) => file.startsWith("assets/"))) throw new Error("dist/client/index.html loads no module");
  return files;
}

function fileOf(chunk: string): string {
  const named = new RegExp(`^${chunk}-[\\w-]{8}\\.js$`);
  const [file, ...more] = readdirSync(join(CONSOLE, "assets")).filter((name) => named.test(name));
  if (file === undefined || more.length > 0) throw new Error(`dist/client/assets has not exactly one ${chunk}`);
  return `assets/${file}`;
}

/** A page that the routes load lazily and this list forgets would go unweighed. */
function unlistedPages(): string[] {
  const listed = ROUTES.flatMap(({ chunks }) => chunks);
  const sources = ["app.tsx", "routes.tsx"]
    .map((file) => readFileSync(join(ROOT, "src/client", file), "utf8"))
    .join("\n");
  const loaded = [...sources.matchAll(/import\("@\/[\w/-]+\/([\w-]+)"\)/g)].map(([, chunk = ""]) => chunk);
  if (loaded.length === 0) return ["no lazy pages were found in src/client"];
  return loaded
    .filter((chunk) => !listed.includes(chunk))
    .map((chunk) => `${chunk} is on no route of scripts/check-weight.ts`);
}
