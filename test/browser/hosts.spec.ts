import type { Page } from "@playwright/test";
import { z } from "zod";
import type { Host } from "../../src/shared/hosts.ts";
import { dialog, PHONE } from "./actions.ts";
import { assignHost } from "./api.ts";
import { expect, expectAccessible, test } from "./fixtures.ts";

const PER_PAGE = 20;
const HOSTS = 500;
/** The most that the page puts into one list. */
const MOST_PER_PAGE = 100;
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

test("sorts all hosts by a column through the address, undone by back", async ({ page, hosts, signIn }) => {
  const byName = hosts.map(({ name }) => name);
  const byEnd = hosts.toSorted((one, other) => endOf(one) - endOf(other)).map(({ name }) => name);
  const fromTheLast = hosts.toSorted((one, other) => endOf(other, -1) - endOf(one, -1)).map(({ name }) => name);
  await signIn(page, "/hosts?view=table");
  await expectNames(page, byName.slice(0, PER_PAGE));
  const head = page.getByRole("columnheader", { name: "云端到期" });
  await expect(head).not.toHaveAttribute("aria-sort");
  for (const name of ["IP", "计费", "分配用户"]) {
    await expect(page.getByRole("columnheader", { name }).getByRole("button")).toHaveCount(0);
  }
  await page.getByRole("button", { name: "第 2 页" }).click();
  await expectNames(page, byName.slice(PER_PAGE, 2 * PER_PAGE));

  await head.getByRole("button").click();
  await expect(page).toHaveURL(/\/hosts\?view=table&sort=expireTime$/);
  await expect(head).toHaveAttribute("aria-sort", "ascending");
  await expect(page.getByText("云端到期升序", { exact: true })).toBeVisible();
  await expectNames(page, byEnd.slice(0, PER_PAGE));
  await page.getByRole("button", { name: "第 2 页" }).click();
  await expectNames(page, byEnd.slice(PER_PAGE, 2 * PER_PAGE));
  await expectAccessible(page);

  await head.getByRole("button").click();
  await expect(page).toHaveURL(/\/hosts\?view=table&sort=expireTime&order=desc$/);
  await expect(head).toHaveAttribute("aria-sort", "descending");
  await expectNames(page, fromTheLast.slice(0, PER_PAGE));
  await page.reload();
  await expectNames(page, fromTheLast.slice(0, PER_PAGE));

  await page.goBack();
  await expectNames(page, byEnd.slice(PER_PAGE, 2 * PER_PAGE));
  await page.goBack();
  await page.goBack();
  await expect(page).toHaveURL(/\/hosts\?view=table&page=2$/);
  await expect(head).not.toHaveAttribute("aria-sort");
  await expectNames(page, byName.slice(PER_PAGE, 2 * PER_PAGE));

  await page.goto("/hosts?view=table&sort=expireTime&order=desc");
  await head.getByRole("button").click();
  await expect(page).toHaveURL(/\/hosts\?view=table$/);
  await expectNames(page, byName.slice(0, PER_PAGE));
});

test("keeps the order in the other view and offers it by name", async ({ page, hosts, signIn }) => {
  const largest = Math.max(...hosts.map(({ memory }) => memory));
  const first = hosts.find(({ memory }) => memory === largest);
  await signIn(page, "/hosts?view=table&sort=memory&order=desc");
  await page.getByRole("radio", { name: "标签页" }).click();
  await expect(page.getByRole("tab").first()).toContainText(first?.name ?? "");
  const order = page.getByRole("combobox", { name: "排序" });
  await expect(order.locator("option:checked")).toHaveText("内存降序");
  await order.selectOption("名称降序");
  await expect(page).toHaveURL(/sort=name&order=desc/);
  await expect(page.getByRole("tab").first()).toContainText(hosts.at(-1)?.name ?? "");
  await order.selectOption("默认排序");
  await expect(page).not.toHaveURL(/sort|order/);
  await expect(page.getByRole("tab").first()).toContainText(hosts[0]?.name ?? "");
});

test.describe("on a phone", () => {
  test.use(PHONE);

  test("scrolls to the start of the next page of a list", async ({ page, hosts: _, signIn }) => {
    await signIn(page, "/hosts");
    const next = page.getByRole("button", { name: "下一页" });
    await next.scrollIntoViewIfNeeded();
    expect(await page.evaluate("scrollY")).toBeGreaterThan(800);
    await next.click();
    await expect(page.getByText("共 60 台 · 第 2 / 3 页")).toBeAttached();
    await expect.poll(() => page.evaluate("scrollY")).toBeLessThan(300);
  });

  test("sorts a client's hosts by the end of the assignment", async ({ page, api, hosts, client, signIn }) => {
    const ending = hosts
      .filter(({ expireTime, chargeType }) => expireTime !== null && chargeType !== "Dynamic")
      .toSorted((one, other) => endOf(one) - endOf(other))
      .slice(0, 3);
    for (const [index, host] of ending.entries()) await assignHost(api, host, client, 30 - 10 * index);
    await signIn(page, "/hosts", client);
    await expect(page.getByText("3 台", { exact: true })).toBeVisible();
    await page.getByRole("button", { name: "筛选" }).click();
    await expect(dialog(page).getByRole("option", { name: "开始时间升序" })).toBeAttached();
    await dialog(page).getByRole("combobox", { name: "排序" }).selectOption("到期时间升序");
    await expectAccessible(page);
    await dialog(page).getByRole("button", { name: "查看结果" }).click();
    await expect(page).toHaveURL(/sort=expireTime/);
    const names = ending.map(({ name }) => name).reverse();
    await expect(page.getByRole("list", { name: "主机" }).getByRole("button")).toContainText(names);
  });
});

test.describe("with 500 hosts", () => {
  test.use({ simulation: { hosts: HOSTS, regions: 4, projects: 2 } });

  test("changes among a hundred host tabs without delay, by mouse and keyboard", async ({ page, hosts: _, signIn }) => {
    await page.addInitScript(WATCH_INTERACTIONS);
    await signIn(page, `/hosts?limit=${MOST_PER_PAGE}`);
    await expect(page.getByText(`${HOSTS} 台`, { exact: true })).toBeVisible();
    await expect(page.getByText(`第 1–${MOST_PER_PAGE} 台`)).toBeVisible();
    const tabs = page.getByRole("tab");
    await expect(tabs).toHaveCount(MOST_PER_PAGE);

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
    await page.getByRole("button", { name: "第 5 页" }).click();
    await expect(page.getByText(`第 401–${HOSTS} 台`)).toBeVisible();
    await expect(tabs.first()).toHaveAttribute("aria-selected", "true");
  });
});

/** What is billed by time or has no end comes last, from either side. */
function endOf({ chargeType, expireTime }: Host, side: 1 | -1 = 1): number {
  const isPrepaid = chargeType === "Year" || chargeType === "Month";
  return isPrepaid && expireTime !== null ? expireTime : side * Number.MAX_SAFE_INTEGER;
}

async function expectNames(page: Page, names: readonly string[]): Promise<void> {
  await expect(page.getByRole("row").locator("button[title]")).toHaveText([...names]);
}
