import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import type { Host } from "../../src/shared/hosts.ts";
import { syncAll } from "../harness/server-fixture.ts";
import { batchBar, dialog, holdAnswers, PHONE, pick, row, toast } from "./actions.ts";
import { assignHost, createUser } from "./api.ts";
import { allowErrors, expect, expectAccessible, test } from "./fixtures.ts";

const PER_PAGE = 20;
const HOSTS = 250;
/** The most that the page puts into one list. */
const MOST_PER_PAGE = 100;
/** The heads of the table lie between. */
const STEPS_TO_BATCH = 12;

test("sorts all hosts in both views through the address, undone by back", async ({ page, hosts, signIn }) => {
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

  await page.goto("/hosts?view=table&sort=expireTime&order=desc");
  await head.getByRole("button").click();
  await expect(page).toHaveURL(/\/hosts\?view=table$/);
  await expectNames(page, byName.slice(0, PER_PAGE));

  const largest = Math.max(...hosts.map(({ memory }) => memory));
  const first = hosts.find(({ memory }) => memory === largest);
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

  test("opens a host at its top, and goes back to its place in the list", async ({ page, hosts: _, signIn }) => {
    await signIn(page);
    await page.goto("/hosts");
    const host = page.getByRole("list", { name: "主机" }).getByRole("button").nth(15);
    await host.scrollIntoViewIfNeeded();
    const place = Number(await page.evaluate("scrollY"));
    expect(place).toBeGreaterThan(200);
    await host.click();
    await expect(page.getByRole("article")).toBeVisible();
    await expect.poll(() => page.evaluate("scrollY")).toBe(0);
    await page.getByRole("button", { name: "返回列表" }).click();
    await expect(host).toBeInViewport();
    await page.goBack();
    await expect(page).toHaveURL(/\/dashboard$/);
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

test.describe("with 250 hosts", () => {
  test.use({ simulation: { hosts: HOSTS, regions: 4, projects: 2 } });

  test("changes among a hundred host tabs by mouse and keyboard", async ({ page, hosts: _, signIn }) => {
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
    await page.getByRole("button", { name: "第 3 页" }).click();
    await expect(page.getByText(`第 201–${HOSTS} 台`)).toBeVisible();
    await expect(tabs.first()).toHaveAttribute("aria-selected", "true");
  });

  test("selects a range with Shift, and all hosts unless it is stopped", async ({ page, hosts: _, signIn }) => {
    await signIn(page, "/hosts?view=table");
    const bar = batchBar(page);
    const boxes = page.getByRole("table", { name: "主机列表" }).getByRole("checkbox", { name: /^选择 / });

    await boxes.nth(12).click();
    await boxes.nth(3).click({ modifiers: ["Shift"] });
    await expect(bar).toContainText("已选 10 台主机");
    expect(await page.evaluate("getSelection().toString()")).toBe("");
    await boxes.nth(10).click({ modifiers: ["Shift"] });
    await expect(bar).toContainText("已选 2 台主机");

    await page.getByRole("checkbox", { name: "选择本页全部" }).click();
    const selectAll = bar.getByRole("button", { name: "选择全部 250 台符合条件的主机" });
    const held = await holdAnswers(page, /hosts\.list/);
    await selectAll.click();
    await expect(bar.getByRole("progressbar")).toHaveAttribute("aria-valuetext", "正在读取 0 / 250 台");
    await expectAccessible(page);
    await bar.getByRole("button", { name: "停止" }).click();
    await expect(bar).toContainText("已选 20 台主机");
    held.release();

    await selectAll.click();
    await expect(bar).toContainText("已选 250 台主机");
    await expect(selectAll).toHaveCount(0);
    await bar.getByRole("button", { name: "同步", exact: true }).click();
    await expect(dialog(page)).toContainText("已选择 250 台主机");
  });
});

test("assigns thirty hosts of a search and exports the result", async ({ page, api, hosts, provider, signIn }) => {
  const ids = hosts.slice(0, 30).map(({ ucloudId }) => ucloudId);
  provider.control.updateHosts({ ids }, { Name: "=批次甲" });
  await syncAll(api);
  await createUser(api, { username: "wang_kehu", name: "王客户", role: "client" });
  await signIn(page, "/hosts");
  await expect(page.getByRole("tablist", { name: "主机" })).toBeVisible();

  const bar = batchBar(page);
  const table = page.getByRole("table", { name: "主机列表" });
  await page.getByRole("radio", { name: "表格" }).click();
  await page.getByRole("searchbox", { name: "搜索主机" }).fill("批次甲");
  await expect(page.getByText("第 1–20 台")).toBeVisible();
  await expect(table.getByText("=批次甲")).toHaveCount(20);
  await page.getByRole("checkbox", { name: "选择本页全部" }).click();
  await bar.getByRole("button", { name: "选择全部 30 台符合条件的主机" }).click();
  await bar.getByRole("button", { name: "分配", exact: true }).click();
  await dialog(page).getByRole("combobox", { name: "用户" }).click();
  await page.getByRole("option", { name: /王客户/ }).click();
  await dialog(page).getByRole("button", { name: "分配 30 台" }).click();
  await expect(dialog(page).getByRole("status").first()).toContainText("分配完成 30 / 30 台成功 30");

  const [download] = await Promise.all([
    page.waitForEvent("download"),
    dialog(page).getByRole("button", { name: "导出结果" }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^批量分配结果-\d{4}-\d{2}-\d{2}\.csv$/);
  const lines = (await readFile(await download.path(), "utf8")).split("\r\n");
  expect(lines[0]).toBe('\uFEFF"主机","资源 ID","结果","说明"');
  expect(lines.slice(1, -1).sort()).toEqual(ids.map((id) => `"'=批次甲","${id}","成功",""`).sort());
  await dialog(page).getByRole("button", { name: "完成" }).click();
  await expect(bar).toHaveCount(0);
});

test("leads back to the form, as it was, when a batch failed for every host", async ({
  page,
  hosts,
  client: _,
  signIn,
}) => {
  allowErrors(/ERR_FAILED/);
  await signIn(page, "/hosts?view=table");
  await choose(page, hosts[0]);
  await batchBar(page).getByRole("button", { name: "分配", exact: true }).click();
  const user = dialog(page).getByRole("combobox", { name: "用户" });
  await pick(user, /张客户/);
  await page.route(/hosts\.batch/, (route) => route.abort());
  await dialog(page).getByRole("button", { name: "分配 1 台" }).click();
  await expect(dialog(page).getByRole("status").first()).toContainText("失败 1");
  await page.unroute(/hosts\.batch/);
  await dialog(page).getByRole("button", { name: "返回修改" }).click();
  await expect(user).toContainText("张客户");
  await dialog(page).getByRole("button", { name: "分配 1 台" }).click();
  await expect(dialog(page).getByRole("status").first()).toContainText("分配完成 1 / 1 台成功 1");
});

test("keeps the failed hosts of a batch selected", async ({ page, api, hosts, client, provider, signIn }) => {
  const [first, second, third] = hosts;
  for (const host of [first, second]) await assignHost(api, host, client, 30);
  await signIn(page, "/hosts?view=table");
  const bar = batchBar(page);
  const results = dialog(page).getByRole("list", { name: "每台主机的结果" }).getByRole("listitem");

  for (const host of [first, second, third]) await choose(page, host);
  await bar.getByRole("button", { name: "取消分配" }).click();
  await pick(dialog(page).getByRole("combobox", { name: "用户" }), /张客户/);
  await expectAccessible(page);
  await dialog(page).getByRole("button", { name: "取消分配 3 台" }).click();
  await expect(dialog(page).getByRole("status").first()).toContainText("取消分配完成 3 / 3 台成功 2失败 1");
  await expect(results.first()).toContainText(third.ucloudId);
  await expect(results.first()).toContainText("该主机没有分配给此用户");
  await expectAccessible(page);
  await dialog(page).getByRole("button", { name: "完成" }).click();
  await expect(bar).toContainText("已选 1 台主机");

  await choose(page, first);
  await bar.getByRole("button", { name: "分配", exact: true }).click();
  await dialog(page).getByRole("button", { name: "分配 2 台" }).click();
  await expect(toast(page, "请选择用户")).toBeVisible();
  await pick(dialog(page).getByRole("combobox", { name: "用户" }), /张客户/);
  // While the form is being filled in, one of the hosts disappears at the provider.
  provider.control.removeHosts({ ids: [first.ucloudId] });
  await syncAll(api);
  await dialog(page).getByRole("button", { name: "分配 2 台" }).click();
  await expect(results.first()).toContainText(first.ucloudId);
  await expect(results.first()).toContainText("主机在云服务商处已不存在，不能分配");
  await expect(results.last()).toContainText("成功");
  await dialog(page).getByRole("button", { name: "完成" }).click();
  await expect(row(page, third.ucloudId)).toContainText("张客户");
});

test("reaches the batch by keyboard and tells equal names apart", async ({ page, api, hosts, provider, signIn }) => {
  const [one, other, third] = hosts;
  provider.control.updateHosts({ ids: [other.ucloudId] }, { Name: one.name });
  await syncAll(api);
  await signIn(page, "/hosts?view=table");
  const bar = batchBar(page);
  const first = page.getByRole("row").nth(1).getByRole("checkbox");
  await first.press("Space");
  await expect(bar).toContainText("已选 1 台主机");
  await expect(first).toBeFocused();
  const isReached = () => bar.evaluate((element) => element.contains(element.ownerDocument.activeElement));
  let steps = 0;
  for (; steps < STEPS_TO_BATCH && !(await isReached()); steps++) await page.keyboard.press("Shift+Tab");
  expect(await isReached(), `not reached in ${steps} steps`).toBe(true);

  await bar.getByRole("button", { name: "取消选择" }).click();
  for (const host of [one, other, third]) await choose(page, host);
  await bar.getByRole("button", { name: "同步", exact: true }).click();
  await expect(dialog(page)).toContainText(
    `${one.name}（${one.ucloudId}）、${one.name}（${other.ucloudId}）、${third.name}`,
  );
  await expect(dialog(page)).not.toContainText(third.ucloudId);
});

test("reports a batch although its hosts leave the list", async ({ page, api, signIn, assignedHost }) => {
  await signIn(page, `/hosts?${new URLSearchParams({ view: "table", assigned: "true" })}`);
  await choose(page, assignedHost);
  const other = await createUser(api, { username: "wang_kehu", name: "王客户", role: "client" });
  await assignHost(api, assignedHost, other, 30);
  await expect(row(page, assignedHost.ucloudId)).toContainText("等 2 人");
  const bar = batchBar(page);
  await bar.getByRole("button", { name: "取消分配" }).click();
  await expect(dialog(page)).toContainText("目前共有 2 条分配");
  await dialog(page).getByRole("button", { name: "取消分配 1 台" }).click();
  await expect(page.getByText("没有符合条件的主机")).toBeAttached();
  await expect(dialog(page)).toContainText("取消分配完成 1 / 1 台");
  await dialog(page).getByRole("button", { name: "完成" }).click();
  await expect(dialog(page)).toBeHidden();
  await expect(bar).toHaveCount(0);
});

/** What is billed by time or has no end comes last, from either side. */
function endOf({ chargeType, expireTime }: Host, side: 1 | -1 = 1): number {
  const isPrepaid = chargeType === "Year" || chargeType === "Month";
  return isPrepaid && expireTime !== null ? expireTime : side * Number.MAX_SAFE_INTEGER;
}

async function expectNames(page: Page, names: readonly string[]): Promise<void> {
  await expect(page.getByRole("row").locator("button[title]")).toHaveText([...names]);
}

async function choose(page: Page, { ucloudId }: Host): Promise<void> {
  await row(page, ucloudId).getByRole("checkbox").click();
}
