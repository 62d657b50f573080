import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Content, toContent } from "./openapi-content.ts";

const OWN = join(import.meta.dirname, "docs-page");
const LIBRARY = join(fileURLToPath(import.meta.resolve("swagger-ui-dist/package.json")), "..");

const HTML = "text/html; charset=utf-8";
const CSS = "text/css; charset=utf-8";
const SCRIPT = "text/javascript; charset=utf-8";

const FILES = [
  { directory: OWN, name: "index.html", type: HTML },
  { directory: OWN, name: "page.css", type: CSS },
  { directory: OWN, name: "page.js", type: SCRIPT },
  { directory: OWN, name: "words.js", type: SCRIPT },
  { directory: LIBRARY, name: "swagger-ui.css", type: CSS },
  { directory: LIBRARY, name: "swagger-ui-bundle.js", type: SCRIPT },
] as const;

/** The files of the page that shows the API document, by name: Swagger UI and what makes it ours. Nothing comes from elsewhere. */
export async function readPageFiles(): Promise<ReadonlyMap<string, Content>> {
  return new Map(
    await Promise.all(
      FILES.map(async ({ directory, name, type }): Promise<[string, Content]> => {
        return [name, await toContent(type, await readFile(join(directory, name)))];
      }),
    ),
  );
}
