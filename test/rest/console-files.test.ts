import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { useApp } from "../harness/app.ts";

const TEXT = "控制台";
const FILES = {
  "index.html": "text/html; charset=utf-8",
  "main.js": "text/javascript",
  "main.css": "text/css",
  "icon.svg": "image/svg+xml",
  "robots.txt": "text/plain",
  "font.woff2": "font/woff2",
} as const;

const consoleDir = mkdtempSync(join(tmpdir(), "console-files-"));
for (const name of Object.keys(FILES)) writeFileSync(join(consoleDir, name), TEXT);
writeFileSync(join(consoleDir, "main.js.br"), "packed");
afterAll(() => rmSync(consoleDir, { recursive: true }));

describe("the console's files", () => {
  const app = useApp({ overrides: { consoleDir } });

  it.each(Object.entries(FILES))("serves %s as %s", async (name, type) => {
    for (const encoding of ["identity", "br, gzip"]) {
      const answer = await fetch(`${app.url}/${name}`, { method: "HEAD", headers: { "accept-encoding": encoding } });
      expect(answer.status).toBe(200);
      expect(answer.headers.get("content-type")?.replace(/;\s*/, "; ")).toBe(type);
    }
  });

  it("a page of the console is the same HTML, whatever its address ends in", async () => {
    for (const path of ["/", "/hosts", "/hosts/main.js/", "/@main.js"]) {
      const answer = await fetch(app.url + path);
      expect(answer.headers.get("content-type")).toMatch(/^text\/html; ?charset=utf-8$/);
      expect(await answer.text()).toBe(TEXT);
    }
  });
});
