import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import type { Host } from "../../src/shared/hosts.ts";
import { unassign } from "../harness/data.ts";
import { assertOk } from "../harness/rest.ts";
import { syncAll } from "../harness/server-fixture.ts";
import {
  batchBar,
  batchStatus,
  dialog,
  openBatch,
  PHONE,
  pickUser,
  row,
  selectPage,
  submit,
} from "./actions.ts";
import { assignHost, findHost } from "./api.ts";
import { expect, expectAccessible, test } from "./fixtures.ts";

const PER_PAGE = 20;
const HOSTS = 130;
/** The largest page size. */
const MOST_PER_PAGE = 100;

test("sorts the table of hosts through the address, undone by back", async ({
  page,
  hosts,
  signIn,
}) => {
  const byName = hosts.map(({ name }) => name);
  const byEnd = hosts.toSorted((one, other) => endOf(one) - endOf(other)).map(({ name }) => name);
  const fromTheLast = hosts
    .toSorted((one, other) => endOf(other, -1) - endOf(one, -1))
    .map(({ name }) => name);
  await signIn(page, "/hosts?view=table");
  await expectNames(page, byName.slice(0, PER_PAGE));

  const head = page.getByRole("columnheader", { name: "云端到期" });
  await expect(head).not.toHaveAttribute("aria-sort");
  await page.getByRole("button", { name: "第 2 页" }).click();
  await expectNames(page, byName.slice(PER_PAGE, 2 * PER_PAGE));

  await head.getByRole("button").click();
  await expect(page).toHaveURL(/\/hosts\?view=table&sort=expireTime$/);
  await expect(head).toHaveAttribute("aria-sort", "ascending");
  await expectNames(page, byEnd.slice(0, PER_PAGE));
  await page.getByRole("button", { name: "第 2 页" }).click();
  await expectNames(page, byEnd.slice(PER_PAGE, 2 * PER_PAGE));

  await head.getByRole("button").click();
  await expect(page).toHaveURL(/\/hosts\?view=table&sort=expireTime&order=desc$/);
  await expect(head).toHaveAttribute("aria-sort", "descending");
  await page.reload();
  await expectNames(page, fromTheLast.slice(0, PER_PAGE));

  await page.goBack();
  await expectNames(page, byEnd.slice(PER_PAGE, 2 * PER_PAGE));
  await page.goBack();
  await page.goBack();
  await expect(page).toHaveURL(/\/hosts\?view=table&page=2$/);
  await expect(head).not.toHaveAttribute("aria-sort");
  await expectNames(page, byName.slice(PER_PAGE, 2 * PER_PAGE));
});

test("filters hosts through the address, and keeps the chosen one over a reload", async ({
  page,
  hosts: _,
  signIn,
}) => {
  await signIn(page, "/hosts");

  await page.getByLabel("搜索主机").fill("web");
  await expect(page).toHaveURL(/search=web/);
  await page.getByRole("combobox", { name: "状态", exact: true }).selectOption("Running");
  await expect(page).toHaveURL(/status=Running/);
  await page.getByRole("button", { name: "清除搜索" }).click();
  await expect(page).not.toHaveURL(/search=/);
  await expect(page.getByRole("tablist", { name: "主机" })).toHaveAttribute("aria-busy", "false");

  const tab = page.getByRole("tab").nth(2);
  await tab.click();
  const name = String(await tab.locator("span").first().textContent());
  await expect(page.getByRole("heading", { name: "计费信息" })).toBeVisible();

  const opened = page.url();
  await page.reload();
  expect(page.url()).toBe(opened);
  await expect(page.getByRole("tab", { selected: true })).toContainText(name);
});

test("keeps the order of the table in the tabs, which choose their own", async ({
  page,
  hosts,
  signIn,
}) => {
  const largest = Math.max(...hosts.map(({ memory }) => memory));
  const mostMemory = findHost(hosts, ({ memory }) => memory === largest);
  const firstTab = page.getByRole("tab").first();
  const order = page.getByRole("combobox", { name: "排序" });
  await signIn(page, "/hosts?view=table&sort=memory&order=desc");

  await page.getByRole("radio", { name: "标签页" }).click();
  await expect(firstTab).toContainText(mostMemory.name);
  await expect(order.locator("option:checked")).toHaveText("内存降序");

  await order.selectOption("名称降序");
  await expect(page).toHaveURL(/sort=name&order=desc/);
  await expect(firstTab).toContainText(hosts.at(-1)?.name ?? "");

  await order.selectOption("默认排序");
  await expect(page).not.toHaveURL(/sort|order/);
  await expect(firstTab).toContainText(hosts[0].name);
});

test.describe("on a phone", () => {
  test.use(PHONE);

  test("scrolls to the next page, to a host, and back to its place", async ({
    page,
    hosts: _,
    signIn,
  }) => {
    await signIn(page);
    await page.goto("/hosts");
    const next = page.getByRole("button", { name: "下一页" });
    await next.scrollIntoViewIfNeeded();
    expect(await page.evaluate("scrollY")).toBeGreaterThan(800);

    await next.click();
    await expect(page.getByText("共 60 台 · 第 2 / 3 页")).toBeAttached();
    await expect.poll(() => page.evaluate("scrollY")).toBeLessThan(300);

    const host = page.getByRole("list", { name: "主机" }).getByRole("link").nth(15);
    await host.scrollIntoViewIfNeeded();
    const place = Number(await page.evaluate("scrollY"));
    expect(place).toBeGreaterThan(200);
    await host.click();
    await expect(page.getByRole("article").getByRole("heading", { level: 2 })).toBeInViewport();
    await expectAccessible(page);

    await page.goBack();
    await expect(dialog(page)).toBeHidden();
    expect(await page.evaluate("scrollY")).toBe(place);
  });

  test("sorts a client's hosts by the end of the assignment", async ({
    page,
    api,
    hosts,
    client,
    signIn,
  }) => {
    const ending = hosts
      .filter(({ expireTime, chargeType }) => expireTime !== null && chargeType !== "Dynamic")
      .toSorted((one, other) => endOf(one) - endOf(other))
      .slice(0, 3);
    // The other way round than the provider's ends.
    for (const [index, host] of ending.entries()) {
      await assignHost(api, host, client, 30 - 10 * index);
    }
    await signIn(page, "/hosts", client);
    await expect(page.getByText("3 台", { exact: true })).toBeVisible();

    await page.getByRole("button", { name: "筛选" }).click();
    await expect(dialog(page).getByRole("option", { name: "开始时间升序" })).toBeAttached();
    await dialog(page).getByRole("combobox", { name: "排序" }).selectOption("到期时间升序");
    await expectAccessible(page);
    await dialog(page).getByRole("button", { name: "查看结果" }).click();

    await expect(page).toHaveURL(/sort=expireTime/);
    const names = ending.map(({ name }) => name).reverse();
    await expect(page.getByRole("list", { name: "主机" }).getByRole("link")).toContainText(names);
  });
});

test.describe("with more hosts than a page has", () => {
  test.use({ simulation: { hosts: HOSTS, regions: 4, projects: 2 } });

  test("changes among a hundred host tabs by mouse and keyboard", async ({
    page,
    hosts: _,
    signIn,
  }) => {
    await signIn(page, `/hosts?limit=${MOST_PER_PAGE}`);
    await expect(page.getByText(`${HOSTS} 台`, { exact: true })).toBeVisible();
    await expect(page.getByText(`第 1–${MOST_PER_PAGE} 台`)).toBeVisible();
    const tabs = page.getByRole("tab");
    await expect(tabs).toHaveCount(MOST_PER_PAGE);

    await tabs.nth(1).click();
    await expect(tabs.nth(1)).toHaveAttribute("aria-selected", "true");
    for (const index of [2, 3]) {
      await page.keyboard.press("ArrowDown");
      await expect(tabs.nth(index)).toBeFocused();
      await expect(tabs.nth(index)).toHaveAttribute("aria-selected", "true");
    }

    await page.keyboard.press("End");
    await expect(tabs.last()).toHaveAttribute("aria-selected", "true");
    await expect(tabs.last()).toBeInViewport();

    await page.getByRole("button", { name: "第 2 页" }).click();
    await expect(page.getByText(`第 101–${HOSTS} 台`)).toBeVisible();
    await expect(tabs.first()).toHaveAttribute("aria-selected", "true");
  });
});

test("assigns thirty hosts of a search and exports the result", async ({
  page,
  api,
  hosts,
  otherClient: _,
  provider,
  signIn,
}) => {
  const ids = hosts.slice(0, 30).map(({ ucloudId }) => ucloudId);
  provider.control.updateHosts({ ids }, { Name: "=批次甲" });
  await syncAll(api);
  await signIn(page, "/hosts");
  await expect(page.getByRole("tablist", { name: "主机" })).toBeVisible();
  const bar = batchBar(page);
  const table = page.getByRole("table", { name: "主机列表" });

  await page.getByRole("radio", { name: "表格" }).click();
  await page.getByRole("searchbox", { name: "搜索主机" }).fill("批次甲");
  await expect(table.getByText("=批次甲")).toHaveCount(20);
  await selectPage(page);
  await bar.getByRole("button", { name: "选择全部 30 台符合条件的主机" }).click();
  await bar.getByRole("button", { name: "分配", exact: true }).click();
  // Equal names are told apart.
  await expect(dialog(page)).toContainText(/=批次甲（uhost-\w+）、=批次甲（uhost-\w+）/);
  await pickUser(page, "王客户");
  // One disappears before the assignment.
  const lost = ids.slice(-1);
  provider.control.removeHosts({ ids: lost });
  await syncAll(api);
  await dialog(page).getByRole("button", { name: "分配 30 台" }).click();
  await expect(batchStatus(page)).toContainText("分配完成 30 / 30 台成功 29失败 1");

  const exported = page.waitForEvent("download");
  await dialog(page).getByRole("button", { name: "导出结果" }).click();
  const download = await exported;
  expect(download.suggestedFilename()).toMatch(/^批量分配结果-\d{4}-\d{2}-\d{2}\.csv$/);
  const lines = (await readFile(await download.path(), "utf8")).split("\r\n");
  expect(lines[0]).toBe("\uFEFF主机,资源 ID,结果,说明");
  const succeeded = ids.slice(0, -1).map((id) => `'=批次甲,${id},成功,`);
  expect(lines).toEqual(expect.arrayContaining(succeeded));
  expect(lines.filter((line) => line.startsWith(`'=批次甲,${lost},失败,`))).toHaveLength(1);
});

test("keeps the failed hosts of a batch selected", async ({ page, api, hosts, client, signIn }) => {
  const [first, second, third] = hosts;
  for (const host of [first, second, third]) await assignHost(api, host, client, 30);
  await signIn(page, "/hosts?view=table");
  const bar = batchBar(page);
  const results = dialog(page).getByRole("list", { name: "每台主机的结果" }).getByRole("listitem");

  await openBatch(page, [first, second, third], "取消分配");
  // Another person is faster with the third.
  await assertOk(unassign({ root: api }, third.id, client.id));
  await dialog(page).getByRole("button", { name: "取消分配 3 台" }).click();
  await expect(batchStatus(page)).toContainText("取消分配完成 3 / 3 台成功 2失败 1");
  await expect(results.first()).toContainText(third.ucloudId);
  await expect(results.first()).toContainText("该主机没有分配给此用户");
  await expect(results.first().getByRole("link")).toHaveAttribute(
    "href",
    `/hosts?host=${third.id}`,
  );
  await expectAccessible(page);

  await dialog(page).getByRole("button", { name: "完成" }).click();
  await expect(bar).toContainText("已选 1 台主机");

  await bar.getByRole("button", { name: "分配", exact: true }).click();
  await submit(page, "分配 1 台", "请选择用户");

  await pickUser(page, "张客户");
  await submit(page, "分配 1 台", "分配完成");
  await expect(row(page, third.ucloudId)).toContainText("张客户");
});

test("reports the result of a batch although its hosts leave the list", async ({
  page,
  api,
  assignedHost,
  otherClient,
  signIn,
}) => {
  await signIn(page, "/hosts?view=table&assigned=true");
  await row(page, assignedHost.ucloudId).getByRole("checkbox").click();
  await assignHost(api, assignedHost, otherClient, 30);
  await expect(row(page, assignedHost.ucloudId)).toContainText("等 2 人");
  const bar = batchBar(page);

  await bar.getByRole("button", { name: "取消分配" }).click();
  await dialog(page).getByRole("radio", { name: "全部用户" }).click();
  await expect(dialog(page)).toContainText("目前共有 2 条分配");
  await submit(page, "取消分配 1 台", "取消分配完成", "1 台主机");

  await expect(page.getByText("没有符合条件的主机")).toBeAttached();
  await expect(dialog(page)).toBeHidden();
  await expect(bar).toHaveCount(0);
});

/**
 * The provider's end to sort by. A host without one comes last in both orders, which is why `side`
 * is -1 in the descending one.
 */
function endOf({ chargeType, expireTime }: Host, side: 1 | -1 = 1): number {
  const isPrepaid = chargeType === "Year" || chargeType === "Month";
  return isPrepaid && expireTime !== null ? expireTime : side * Number.MAX_SAFE_INTEGER;
}

async function expectNames(page: Page, names: readonly string[]): Promise<void> {
  await expect(page.getByRole("rowheader").locator("a[title]")).toHaveText([...names]);
}
