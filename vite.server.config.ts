import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig, type Plugin } from "vite";

const SERVER = join(import.meta.dirname, "src/server");
const EMBEDDED = join(SERVER, "embedded-database");

/** What the server reads from beside its code, by directory. */
const FILES = [
  "users/common-passwords.txt",
  ...readdirSync(join(SERVER, "rest/docs-page")).map((name) => `rest/docs-page/${name}`),
];

/** Puts them beside the built code in the same way: `./common-passwords.txt`, `./docs-page/…`. */
function filesBeside(): Plugin {
  return {
    name: "files-beside",
    generateBundle() {
      for (const path of FILES) {
        const fileName = path.slice(path.indexOf("/") + 1);
        this.emitFile({ type: "asset", fileName, source: readFileSync(join(SERVER, path)) });
      }
    },
  };
}

const SPREAD_HELPER = /function _objectSpread2\(e\) \{[\s\S]*?\n\}/;

/**
 * tRPC is published for older Nodes, with a function in place of `{ ...object }` that takes a tenth of the processor's time when an
 * event goes to a thousand sockets. Fails the build when an update has done away with it.
 */
function nativeSpread(): Plugin {
  let isFound = false;
  return {
    name: "native-spread",
    transform(code, id) {
      if (!id.includes("@trpc/server") || !SPREAD_HELPER.test(code)) return null;
      isFound = true;
      const native = `function _objectSpread2(target, ...sources) {
        return sources.reduce((all, source) => ({ ...all, ...source }), target);
      }`;
      return { code: code.replace(SPREAD_HELPER, native), map: null };
    },
    buildEnd(error) {
      if (error === undefined && !isFound)
        this.error("@trpc/server has no _objectSpread2 any more: nativeSpread can go");
    },
  };
}

const HTTP_IMPORT = /^import \{ ([^}]+) \} from "node:http";$/m;

/**
 * Imported by name, Node's HTTP brings everything that it exports into being, a WebSocket client of its own among them: 40 ms of each
 * start and 4 MB. Asked for as a built-in module it does not.
 */
function leanHttp(): Plugin {
  let isFound = false;
  return {
    name: "lean-http",
    renderChunk(code) {
      if (!HTTP_IMPORT.test(code)) return null;
      isFound = true;
      const ask = (_: string, names: string) =>
        `const { ${names.replaceAll(" as ", ": ")} } = process.getBuiltinModule("node:http");`;
      return { code: code.replace(HTTP_IMPORT, ask), map: null };
    },
    generateBundle() {
      if (!isFound) this.error("node:http is imported in some other way now: see leanHttp");
    },
  };
}

/**
 * The server with all that it imports in a few files. Nothing in it needs to be built, but Node starts a few files in half the
 * time of a thousand, and with 35 MB less (docs/performance.md).
 */
export default defineConfig({
  root: SERVER,
  publicDir: false,
  plugins: [filesBeside(), nativeSpread(), leanHttp()],
  build: {
    ssr: true,
    outDir: join(import.meta.dirname, "dist/server"),
    emptyOutDir: true,
    target: "node24",
    // Stack traces in the log should be read by people.
    minify: false,
    rolldownOptions: {
      input: {
        main: join(SERVER, "main.ts"),
        worker: join(EMBEDDED, "worker.ts"),
        "create-directory": join(EMBEDDED, "create-directory.ts"),
      },
      output: { entryFileNames: "[name].js", chunkFileNames: "[name].js", keepNames: true },
    },
  },
  ssr: {
    noExternal: true,
    // Native code, threads of their own, and files that are found beside the code.
    external: [
      "@node-rs/argon2",
      "pino",
      "pino-pretty",
      "@electric-sql/pglite",
      "@electric-sql/pglite-socket",
      "swagger-ui-dist",
    ],
  },
});
