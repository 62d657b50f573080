import { copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "vite";
import rootPackage from "../package.json" with { type: "json" };
import { printDeclarations } from "./sdk-types.ts";

const ROOT = join(import.meta.dirname, "..");
const OUTPUT = join(ROOT, "dist/sdk");

/**
 * Makes the SDK's package: JavaScript that needs @trpc/client alone, its types in one file that
 * needs nothing, README, package.json.
 */
await build({
  configFile: false,
  root: ROOT,
  logLevel: "warn",
  build: {
    lib: { entry: join(ROOT, "src/sdk/index.ts"), formats: ["es"], fileName: "index" },
    outDir: OUTPUT,
    emptyOutDir: true,
    target: "es2022",
    minify: false,
    rolldownOptions: { external: ["@trpc/client"] },
  },
});
writeFileSync(join(OUTPUT, "index.d.ts"), printDeclarations());
writeFileSync(join(OUTPUT, "package.json"), `${JSON.stringify(packageJson(), null, 2)}\n`);
copyFileSync(join(ROOT, "src/sdk/README.md"), join(OUTPUT, "README.md"));

function packageJson() {
  const { version, license, devDependencies } = rootPackage;
  return {
    name: "host-console-sdk",
    version,
    description: "Typed client of the host console (多主机管理系统)",
    license,
    type: "module",
    sideEffects: false,
    exports: { ".": { types: "./index.d.ts", default: "./index.js" } },
    types: "./index.d.ts",
    files: ["index.js", "index.d.ts", "README.md"],
    engines: { node: ">=20.3" },
    dependencies: { "@trpc/client": devDependencies["@trpc/client"] },
  };
}
