import type { Page } from "@playwright/test";
import { expectLive, submitSignIn, untilQuiet } from "./actions.ts";
import { expect, test } from "./fixtures.ts";

test("reads nothing twice when a page is opened", async ({ page, hosts: _, signIn }) => {
  const reads = recordReads(page);

  for (const path of ["/dashboard", "/hosts", "/hosts?view=table", "/renewals"]) {
    reads.length = 0;
    await signIn(page, path);
    await expectLive(page);
    await untilQuiet(page);

    expect(reads.length, path).toBeGreaterThan(2);
    expect(reads, path).toEqual([...new Set(reads)]);
  }
});

test("reads nothing twice after a sign-in", async ({ page, hosts: _ }) => {
  await page.goto("/login");
  const reads = recordReads(page);

  await submitSignIn(page);
  await expectLive(page);
  await untilQuiet(page);

  expect(reads.length).toBeGreaterThan(2);
  expect(reads).toEqual([...new Set(reads)]);
});

/** Each read of the page from now on, with its input; one request may carry many. */
function recordReads(page: Page): string[] {
  const reads: string[] = [];
  page.on("request", (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (!pathname.startsWith("/trpc/") || request.method() !== "GET") return;

    const procedures = pathname.slice("/trpc/".length).split(",");
    const inputs: Record<string, unknown> = JSON.parse(searchParams.get("input") ?? "{}");
    reads.push(...procedures.map((name, n) => `${name} ${JSON.stringify(inputs[n] ?? null)}`));
  });
  return reads;
}
