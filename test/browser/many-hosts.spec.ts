import { z } from "zod";
import { importHosts, signInToApi } from "./api.ts";
import { expect, expectAccessible, signIn, test } from "./fixtures.ts";

const HOSTS = 500;
/** The most that the page puts into one list. */
const PER_PAGE = 100;
const ROW_PX = 60;
const CLICKS = 6;
const PRESSES = 12;
/** The aim is 200 ms for the slowest, on a person's machine; those that run this are slow and shared, so half of them may take this long. */
const BOUND_MS = 500;

/** Gathers how long each interaction took to its next paint, by its number. Only those of 16 ms and more are observed. */
const WATCH_INTERACTIONS = `
  window.interactions = {};
  new PerformanceObserver((list) => {
    for (const { interactionId, duration } of list.getEntries()) {
      if (interactionId > 0) interactions[interactionId] = Math.max(interactions[interactionId] ?? 0, duration);
    }
  }).observe({ type: "event", durationThreshold: 16 });
  new PerformanceObserver(() => { window.hasFirstInput = true; }).observe({ type: "first-input", buffered: true });
`;
const Durations = z.array(z.number());

test.describe("with 500 hosts", () => {
  test.use({ providerArgs: ["--hosts", String(HOSTS), "--regions", "4", "--projects", "2"] });

  test("changes among a hundred host tabs without delay, by mouse and keyboard", async ({ page, provider, server }) => {
    await importHosts(await signInToApi(server.url), provider);
    await signIn(page);
    await page.addInitScript(WATCH_INTERACTIONS);
    await page.goto(`/hosts?limit=${PER_PAGE}`);
    await expect(page.getByText(`${HOSTS} 台`, { exact: true })).toBeVisible();
    await expect(page.getByText(`第 1–${PER_PAGE} 台`)).toBeVisible();
    const tabs = page.getByRole("tab");
    await expect(tabs).toHaveCount(PER_PAGE);

    for (let index = 1; index <= CLICKS; index++) {
      await tabs.nth(index).click();
      await expect(tabs.nth(index)).toHaveAttribute("aria-selected", "true");
    }
    for (let index = CLICKS + 1; index <= CLICKS + PRESSES; index++) {
      await page.keyboard.press("ArrowDown");
      await expect(tabs.nth(index)).toBeFocused();
      await expect(tabs.nth(index)).toHaveAttribute("aria-selected", "true");
    }
    await page.evaluate("new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)))");
    expect(await page.evaluate("hasFirstInput")).toBe(true);
    const observed = Durations.parse(await page.evaluate("Object.values(interactions)")).sort((a, b) => b - a);
    const median = observed[(CLICKS + PRESSES) / 2] ?? 0;
    console.info(
      `to the next paint, of ${CLICKS + PRESSES} changes of tab: slowest ${observed[0] ?? 0} ms, half within ${median} ms`,
    );
    expect(median).toBeLessThan(BOUND_MS);

    await page.keyboard.press("End");
    await expect(tabs.last()).toHaveAttribute("aria-selected", "true");
    await expect(tabs.last()).toBeInViewport();
    await page.getByRole("tablist", { name: "主机" }).hover();
    for (const { by, arrivesAt } of [
      { by: -40 * ROW_PX, arrivesAt: 55 },
      { by: -PER_PAGE * ROW_PX, arrivesAt: 1 },
      { by: 30 * ROW_PX, arrivesAt: 35 },
    ]) {
      await page.mouse.wheel(0, by);
      await expect(tabs.nth(arrivesAt - 1)).toBeInViewport();
    }
    await page.getByRole("button", { name: "第 5 页" }).click();
    await expect(page.getByText(`第 401–${HOSTS} 台`)).toBeVisible();
    await expect(tabs.first()).toHaveAttribute("aria-selected", "true");
    await expectAccessible(page);
  });
});
