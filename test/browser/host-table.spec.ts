import type { BrowserContext, Page } from "@playwright/test";
import { DAY_SECONDS } from "../../src/shared/time.ts";
import { assign } from "../harness/data.ts";
import { assertOk } from "../harness/rest.ts";
import { syncAll } from "../harness/server-fixture.ts";
import {
  batchBar,
  bodyRows,
  boxOf,
  dateIn,
  dateText,
  dialog,
  openMoreFilters,
  pick,
  row,
  toast,
} from "./actions.ts";
import { assignHost, findHost } from "./api.ts";
import { expect, expectAccessible, pressEscape, test } from "./fixtures.ts";

const NAME = `${"财务结算中心".repeat(3)}-月度报表`;
const SMALL = { width: 1280, height: 720 };

test("shows the end of every name of a host at 1,280 px, and cuts no column", async ({
  page,
  api,
  hosts,
  client,
  provider,
  signIn,
}) => {
  for (const [index, { ucloudId }] of hosts.slice(0, 20).entries()) {
    const Name = `${NAME}-${10 + index}`;
    provider.control.updateHosts({ ids: [ucloudId] }, { Name });
  }
  await syncAll(api);
  await assertOk(api.put(`/api/users/${client.id}`, { name: "云杉物流集团有限公司" }));
  for (const host of hosts.slice(0, 3)) {
    const ended = { from: -40 * DAY_SECONDS, to: -21 * DAY_SECONDS };
    await assign({ root: api }, host.id, client.id, ended);
  }
  await page.setViewportSize(SMALL);

  await signIn(page, "/hosts?view=table&search=财务结算中心");

  const names = page.getByRole("rowheader");
  await expect(names).toHaveCount(20);
  for (const [index, name] of (await names.all()).entries()) {
    const cut = name.locator(`[data-end$='表-${10 + index}']`);
    await expect(cut).toBeVisible();
    expect(await cut.evaluate(overflow), "the end has its room").toBe(0);
    await expect(name.getByRole("link")).toHaveAttribute("title", new RegExp(`^${NAME}-`));
    await expect(name.getByRole("link")).toHaveAccessibleName(`${NAME}-${10 + index}`);
  }
  const box = page.getByRole("group", { name: "主机列表" });
  expect(await box.evaluate(overflow)).toBe(0);

  // The whole of a name that is cut is marked, to be copied.
  await page.evaluate("getSelection().selectAllChildren(document.querySelector('tbody th a'))");
  expect(await page.evaluate("getSelection().toString()")).toBe(`${NAME}-10`);
});

test("ticks a host by a click anywhere in its cell, and a range with Shift", async ({
  page,
  hosts: _,
  signIn,
}) => {
  await signIn(page, "/hosts?view=table");
  await expect(page.getByRole("rowheader")).toHaveCount(20);
  const cellOf = (index: number) => bodyRows(page).nth(index).getByRole("cell").first();
  const { width, height } = await boxOf(cellOf(0));

  await cellOf(1).click({ position: { x: 2, y: 2 } });
  await expect(batchBar(page)).toContainText("已选 1 台主机");
  const corner = { x: width - 2, y: height - 2 };
  await cellOf(4).click({ position: corner, modifiers: ["Shift"] });
  await expect(batchBar(page)).toContainText("已选 4 台主机");
  await cellOf(2).click({ position: corner });
  await expect(batchBar(page)).toContainText("已选 3 台主机");

  await expect(dialog(page)).toHaveCount(0);
  await expect(page).not.toHaveURL(/host=/);
  expect(await page.evaluate("getSelection().toString()")).toBe("");
});

test("copies the ticked hosts with the columns that are shown, or for their users", async ({
  page,
  api,
  hosts,
  client,
  context,
  signIn,
}) => {
  await assignHost(api, hosts[0], client, 60);
  await signIn(page, "/hosts?view=table");
  await page.getByRole("button", { name: "列", exact: true }).click();
  await page.getByRole("menuitemcheckbox", { name: "规格" }).click();
  await page.getByRole("menuitemcheckbox", { name: "计费" }).click();
  await pressEscape(page);
  await bodyRows(page).nth(0).getByRole("checkbox").click();
  await bodyRows(page).nth(2).getByRole("checkbox").click();

  await page.getByRole("button", { name: "复制 2 台" }).click();
  const [head, ...rows] = await copied(page, context, "复制为表格", "2 台主机");

  expect(head).toBe("主机\t资源 ID\t分配用户\t用户到期\t云端到期\t状态\t可用区\tIP\t计费");
  expect(rows.map((line) => line.split("\t")[1])).toEqual([hosts[0].ucloudId, hosts[2].ucloudId]);

  await page.getByRole("button", { name: "复制 2 台" }).click();
  const message = "1 台主机，另有 1 台未分配，没有复制";
  const uses = await copied(page, context, "复制给用户", message);

  expect(uses[0]).toBe("主机\t规格\t开始\t到期");
  expect(uses.slice(1)).toEqual([expect.stringContaining(hosts[0].name)]);
});

test("copies all hosts of the filters where none is ticked", async ({
  page,
  hosts,
  context,
  signIn,
}) => {
  await signIn(page, "/hosts?view=table");

  await page.getByRole("button", { name: "复制", exact: true }).click();
  await expectAccessible(page);
  const lines = await copied(page, context, "复制为表格", "60 台主机");

  expect(lines).toHaveLength(61);
  expect(lines[1]).toContain(`${hosts[0].name}\t${hosts[0].ucloudId}\t`);
});

test("lists the hosts of one user with its ends alone, and copies them for it", async ({
  page,
  api,
  hosts,
  client,
  otherClient,
  context,
  signIn,
}) => {
  const [host] = hosts;
  const end = await assignHost(api, host, client, 60);
  await assignHost(api, host, otherClient, 20);
  await signIn(page, `/hosts?view=table&userId=${client.id}`);

  await expect(row(page, host.ucloudId)).toContainText(dateIn(60));
  await expect(row(page, host.ucloudId)).not.toContainText(dateIn(20));
  await expect(page.getByRole("columnheader", { name: "分配用户" })).toHaveCount(0);

  await page.getByRole("button", { name: "复制", exact: true }).click();
  const lines = await copied(page, context, "复制给用户", "1 台主机");

  const size = `${host.cpu} 核 ${host.memory / 1024} GB`;
  expect(lines).toEqual([
    "主机\t规格\t开始\t到期",
    `${host.name}\t${size}\t${dateIn(0)}\t${dateText(end)}`,
  ]);
});

test("shows whether hosts are renewed by themselves in a column that is switched on", async ({
  page,
  api,
  hosts,
  provider,
  signIn,
}) => {
  const host = findHost(hosts, ({ chargeType }) => chargeType === "Month");
  const byTheHour = findHost(hosts, ({ chargeType }) => chargeType === "Dynamic");
  provider.control.updateHosts({ ids: [host.ucloudId] }, { AutoRenew: "Yes" });
  await syncAll(api);
  await signIn(page, "/hosts?view=table&limit=100");
  await expect(page.getByRole("columnheader", { name: "云端到期" })).toBeVisible();
  await expect(page.getByRole("columnheader", { name: "自动续费" })).toHaveCount(0);

  await page.getByRole("button", { name: "列", exact: true }).click();
  await page.getByRole("menuitemcheckbox", { name: "自动续费" }).click();
  await pressEscape(page);

  await expect(page.getByRole("columnheader", { name: "自动续费" })).toBeVisible();
  const heads = await page.getByRole("columnheader").allTextContents();
  const index = heads.indexOf("自动续费");
  await expect(row(page, host.ucloudId).locator("> *").nth(index)).toHaveText("已开启");
  await expect(row(page, byTheHour.ucloudId).locator("> *").nth(index)).toHaveText("—");
});

test("filters by user, assignment and automatic renewal, and removes one by its chip", async ({
  page,
  api,
  hosts,
  client,
  provider,
  signIn,
}) => {
  provider.control.updateHosts({}, { AutoRenew: "No" });
  const host = findHost(hosts, ({ chargeType }) => chargeType === "Month");
  provider.control.updateHosts({ ids: [host.ucloudId] }, { AutoRenew: "Yes" });
  await syncAll(api);
  await assignHost(api, host, client, 20);
  await signIn(page, "/hosts?view=table");

  const filters = await openMoreFilters(page);
  await filters.getByRole("combobox", { name: "自动续费" }).selectOption("自动续费");
  await filters.getByRole("combobox", { name: "分配", exact: true }).selectOption("已分配");
  await filters.getByRole("combobox", { name: "用户到期" }).selectOption("用户 30 天内到期");
  await pick(filters.getByRole("combobox", { name: "用户", exact: true }), /张客户/);
  await expectAccessible(page);
  await pressEscape(page);

  for (const parameter of [/autoRenew=true/, /assigned=true/, /assignedExpiring=30/]) {
    await expect(page).toHaveURL(parameter);
  }
  await expect(page.getByText("用户：张客户")).toBeVisible();
  await expect(page.getByText("1 台", { exact: true })).toBeVisible();
  await expect(row(page, host.ucloudId)).toBeVisible();
  await expect(page.getByRole("button", { name: "更多筛选 4" })).toBeVisible();

  await page.getByRole("button", { name: "移除筛选：自动续费" }).click();
  await expect(page).not.toHaveURL(/autoRenew/);
  await expect(page.getByRole("button", { name: "更多筛选 3" })).toBeVisible();
});

test("has a chip for every filter of an address that is not in sight", async ({
  page,
  client,
  assignedHost: _,
  signIn,
}) => {
  await signIn(
    page,
    `/hosts?view=table&userId=${client.id}&assigned=true&assignedExpiring=30&autoRenew=false` +
      "&expiring=90&providerEndsFirst=true&status=Running&region=cn-bj2",
  );

  const chips = page.getByRole("button", { name: /^移除筛选：/ });
  await expect(chips).toHaveCount(6);
  for (const text of [
    "用户：张客户",
    "已分配",
    "用户 30 天内到期",
    "云端 90 天内到期",
    "不自动续费",
    "云端早于用户到期",
  ]) {
    await expect(page.getByRole("button", { name: `移除筛选：${text}` })).toBeVisible();
  }
  await expect(page.getByRole("combobox", { name: "状态" })).toHaveValue("Running");
});

test("keeps the filters in one row at 1,440 and 1,280 px, and in two at 768 px", async ({
  page,
  hosts: _,
  signIn,
}) => {
  await signIn(page, "/hosts?view=table");

  for (const [width, most] of [
    [1440, 1],
    [1280, 1],
    [768, 2],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    const controls = [
      page.getByRole("searchbox", { name: "搜索主机" }),
      page.getByRole("combobox", { name: "状态" }),
      page.getByRole("combobox", { name: "地域" }),
      page.getByRole("button", { name: "更多筛选" }),
    ];
    const middles = await Promise.all(
      controls.map(async (control) => {
        const { y, height } = await boxOf(control);
        return Math.round(y + height / 2);
      }),
    );
    expect(new Set(middles).size, `${width} px`).toBeLessThanOrEqual(most);
  }
});

test("scrolls the list and the details beside it, and not the page", async ({
  page,
  assignedHost,
  signIn,
}) => {
  await signIn(page, `/hosts?view=tabs&host=${assignedHost.id}`);
  await expect(page.getByRole("article")).toBeVisible();
  await expect(page.getByRole("tab")).toHaveCount(20);

  const rest = "document.documentElement.scrollHeight - innerHeight";
  for (const size of [{ width: 1440, height: 900 }, SMALL]) {
    await page.setViewportSize(size);
    expect(await page.evaluate(rest)).toBe(0);
  }
  await page.getByRole("tab").last().scrollIntoViewIfNeeded();
  await expect(page.getByRole("tab").last()).toBeInViewport();
});

function overflow({ scrollWidth, clientWidth }: { scrollWidth: number; clientWidth: number }) {
  return scrollWidth - clientWidth;
}

/** Takes this item of the open menu, and returns the lines that are on the clipboard then. */
async function copied(
  page: Page,
  context: BrowserContext,
  item: string,
  message: string,
): Promise<string[]> {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByRole("menuitem", { name: item }).click();
  await expect(toast(page, "已复制", message)).toBeVisible();

  const text = String(await page.evaluate("navigator.clipboard.readText()"));
  return text.split("\n");
}
