import { fileURLToPath } from "node:url";
import { constants } from "node:zlib";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { compression, defineAlgorithm } from "vite-plugin-compression2";
import { ALIASES } from "./src/client/aliases.ts";

/** Their other builds need a global of Node. */
const BROWSER_BUILDS = {
  "csv-parse/sync": "csv-parse/browser/esm/sync",
  "csv-stringify/sync": "csv-stringify/browser/esm/sync",
};

const client = fileURLToPath(new URL("./src/client", import.meta.url));
const backend = "http://127.0.0.1:3000";

/** What nearly every screen needs, in files that keep their hash while only the screens change. */
const vendorGroups = [
  { name: "react", test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/, priority: 30 },
  {
    name: "query",
    test: /node_modules[\\/](@tanstack[\\/](react-query|query-core)|@trpc)[\\/]/,
    priority: 20,
  },
  // Some of what is loaded later has use for a part of it.
  { name: "api", test: /src[\\/]client[\\/]api[\\/](errors|trpc)\.ts/, priority: 10 },
  // Its set-up in the same file, or another chunk's schemas would be made before it has run.
  { name: "zod", test: /node_modules[\\/]zod[\\/]|src[\\/]client[\\/]zod-setup/, priority: 20 },
];

export default defineConfig({
  root: client,
  resolve: { alias: { ...ALIASES, ...BROWSER_BUILDS } },
  plugins: [
    react(),
    tailwindcss(),
    compression({
      include: /\.(html|js|css|svg|json|txt|webmanifest|xml)$/,
      threshold: 512,
      skipIfLargerOrEqual: true,
      algorithms: [
        defineAlgorithm("gzip", { level: 9 }),
        defineAlgorithm("brotliCompress", { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
      ],
    }),
  ],
  build: {
    outDir: fileURLToPath(new URL("./dist/client", import.meta.url)),
    emptyOutDir: true,
    // Read by scripts/check-weight.ts.
    manifest: true,
    target: "es2022",
    // A data: URL would need its own line in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Swagger UI is one chunk of 1.5 MB; scripts/check-weight.ts limits those of the console.
    chunkSizeWarningLimit: 1_600,
    rolldownOptions: {
      // The console, and the page of the API's documentation.
      input: [`${client}/index.html`, `${client}/api-docs.html`],
      output: { codeSplitting: { groups: vendorGroups } },
    },
  },
  server: {
    host: "127.0.0.1",
    proxy: {
      // The console has a folder of that name; its modules are not the API.
      "^/api/(?!.+\\.tsx?(\\?|$))": { target: backend, changeOrigin: false },
      "/trpc": { target: backend, changeOrigin: false, ws: true },
      "/healthz": backend,
    },
  },
});
