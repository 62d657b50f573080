import { join } from "node:path";
import { defineConfig } from "vite";

const SERVER = join(import.meta.dirname, "src/server");

/** The server and its dependencies in a few files: Node starts them in half the time of a thousand (docs/performance.md). */
export default defineConfig({
  root: SERVER,
  publicDir: false,
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
    external: ["argon2", "pino", "pino-pretty", "@electric-sql/pglite", "@electric-sql/pglite-socket"],
  },
});
