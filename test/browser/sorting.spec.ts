import type { Page } from "@playwright/test";
import type { Host } from "../../src/shared/hosts.ts";
import { dialog } from "./actions.ts";
import { assignHost, createAccount, importHosts, signInToApi } from "./api.ts";
import { expect, expectAccessible, signIn, test } from "./fixtures.ts";

const PER_PAGE = 20;

test("sorts all hosts by a column through the address, undone by back", async ({ page, provider, server }) => {
  const hosts = await importHosts(await signInToApi(server.url), provider);
  const byName = hosts.map(({ name }) => name);
  const byEnd = hosts.toSorted((one, other) => endOf(one) - endOf(other)).map(({ name }) => name);
  const fromTheLast = hosts.toSorted((one, other) => endOf(other, -1) - endOf(one, -1)).map(({ name }) => name);
  await signIn(page);
  await page.goto("/hosts?view=table");
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

test("keeps the order in the other view and offers it by name", async ({ page, provider, server }) => {
  const hosts = await importHosts(await signInToApi(server.url), provider);
  const largest = Math.max(...hosts.map(({ memory }) => memory));
  const first = hosts.find(({ memory }) => memory === largest);
  await signIn(page);
  await page.goto("/hosts?view=table&sort=memory&order=desc");
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
  test.use({ viewport: { width: 390, height: 844 } });

  test("sorts a client's hosts by the end of the assignment", async ({ page, provider, server }) => {
    const api = await signInToApi(server.url);
    const hosts = (await importHosts(api, provider))
      .filter(({ expireTime, chargeType }) => expireTime !== null && chargeType !== "Dynamic")
      .toSorted((one, other) => endOf(one) - endOf(other))
      .slice(0, 3);
    const client = await createAccount(api, { username: "zhang_kehu", name: "张客户", role: "client" });
    for (const [index, host] of hosts.entries()) await assignHost(api, host, client, 30 - 10 * index);
    await signIn(page, client);
    await page.goto("/hosts");
    await expect(page.getByText("3 台", { exact: true })).toBeVisible();
    await page.getByRole("button", { name: "筛选" }).click();
    await expect(dialog(page).getByRole("option", { name: "开始时间升序" })).toBeAttached();
    await dialog(page).getByRole("combobox", { name: "排序" }).selectOption("到期时间升序");
    await expectAccessible(page);
    await dialog(page).getByRole("button", { name: "查看结果" }).click();
    await expect(page).toHaveURL(/sort=expireTime/);
    const names = hosts.map(({ name }) => name).reverse();
    await expect(page.getByRole("list", { name: "主机" }).getByRole("button")).toContainText(names);
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
