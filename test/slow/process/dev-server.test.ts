import { join } from "node:path";
import { createServer } from "vite";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../../..");

test("the development server serves the console's modules itself, also those of its folder api", async () => {
  const vite = await createServer({ configFile: join(ROOT, "vite.config.ts"), logLevel: "error", server: { port: 0 } });
  try {
    await vite.listen();
    const [url = ""] = vite.resolvedUrls?.local ?? [];
    for (const path of ["main.tsx", "api/trpc.ts", "api/trpc.ts?t=1"]) {
      const answer = await fetch(new URL(path, url));
      expect(answer.headers.get("content-type"), path).toBe("text/javascript");
    }
  } finally {
    await vite.close();
  }
});
