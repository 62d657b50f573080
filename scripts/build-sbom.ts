import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "..");

/**
 * Writes dist/sbom.cdx.json (CycloneDX): every installed package but the platform's Node, with version, licence and hash. Those that only
 * build, test, or are compiled into the console carry the property `cdx:npm:package:development`.
 */
const bill = execFileSync("npm", ["sbom", "--sbom-format=cyclonedx", "--omit=optional"], {
  cwd: ROOT,
  encoding: "utf8",
  maxBuffer: 64 * 1024 * 1024,
});
mkdirSync(join(ROOT, "dist"), { recursive: true });
writeFileSync(join(ROOT, "dist/sbom.cdx.json"), bill);
