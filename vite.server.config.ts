import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig, type Plugin } from "vite";

const SERVER = join(import.meta.dirname, "src/server");
const DOCS_PAGE = join(SERVER, "rest/docs-page");

/** Files that the server reads beside its code. */
function assets(): Plugin {
  return {
    name: "server-assets",
    generateBundle() {
      const emit = (fileName: string, path: string) =>
        this.emitFile({ type: "asset", fileName, source: readFileSync(path) });
      for (const name of readdirSync(DOCS_PAGE)) emit(`docs-page/${name}`, join(DOCS_PAGE, name));
    },
  };
}

/** The server and its dependencies in a few files: Node starts them in half the time of a thousand (docs/performance.md). */
export default defineConfig({
  root: SERVER,
  publicDir: false,
  plugins: [assets()],
  build: {
    ssr: true,
    outDir: join(import.meta.dirname, "dist/server"),
    emptyOutDir: true,
    target: "node24",
    minify: false,
    rolldownOptions: {
      input: { main: join(SERVER, "main.ts"), worker: join(SERVER, "embedded-database/worker.ts") },
      output: { entryFileNames: "[name].js", chunkFileNames: "[name].js", keepNames: true },
    },
  },
  ssr: {
    noExternal: true,
    // Native code, and packages that find files beside their own code.
    external: [
      "argon2",
      "pino",
      "pino-pretty",
      "@electric-sql/pglite",
      "@electric-sql/pglite-socket",
      "swagger-ui-dist",
    ],
  },
});
