import { readFile } from "node:fs/promises";
import { dateText, dialog } from "./actions.ts";
import { createAccount, importHosts, signInToApi } from "./api.ts";
import { expect, expectAccessible, signIn, test } from "./fixtures.ts";

const WANTED = 30;
const MOST_ACTIONS = 8;

test("assigns thirty hosts that match a search to one client in eight actions and exports the results", async ({
  page,
  provider,
  server,
}) => {
  const api = await signInToApi(server.url);
  const ids = (await importHosts(api, provider)).slice(0, WANTED).map(({ ucloudId }) => ucloudId);
  await provider.control("updateHosts", { ids }, { Name: "=批次甲" });
  await api("POST", "/api/hosts/sync?wait=25");
  await createAccount(api, { username: "wang_kehu", name: "王客户", role: "client" });
  await signIn(page);
  await page.goto("/hosts");
  await expect(page.getByRole("tablist", { name: "主机" })).toBeVisible();

  const bar = page.getByRole("region", { name: "批量操作" });
  const table = page.getByRole("table", { name: "主机列表" });
  const actions = [
    () => page.getByRole("radio", { name: "表格" }).click(),
    () => page.getByRole("searchbox", { name: "搜索主机" }).fill("批次甲"),
    async () => {
      await expect(page.getByText("第 1–20 台")).toBeVisible();
      await expect(table.getByText("=批次甲")).toHaveCount(20);
      await page.getByRole("checkbox", { name: "选择本页全部" }).click();
    },
    () => bar.getByRole("button", { name: "选择全部 30 台符合条件的主机" }).click(),
    () => bar.getByRole("button", { name: "分配", exact: true }).click(),
    () => dialog(page).getByRole("combobox", { name: "用户" }).click(),
    () => page.getByRole("option", { name: /王客户/ }).click(),
    () => dialog(page).getByRole("button", { name: "分配 30 台" }).click(),
  ];
  expect(actions.length).toBeLessThanOrEqual(MOST_ACTIONS);
  for (const action of actions) await action();
  await expect(dialog(page).getByRole("status").first()).toContainText("分配完成 30 / 30 台成功 30");
  await expectAccessible(page);

  const [download] = await Promise.all([
    page.waitForEvent("download"),
    dialog(page).getByRole("button", { name: "导出结果" }).click(),
  ]);
  expect(download.suggestedFilename()).toBe(`批量分配结果-${dateText(Date.now() / 1000)}.csv`);
  const lines = (await readFile(await download.path(), "utf8")).split("\r\n");
  expect(lines[0]).toBe('\uFEFF"主机","资源 ID","结果","说明"');
  expect(lines.slice(1, -1).sort()).toEqual(ids.map((id) => `"'=批次甲","${id}","成功",""`).sort());
  await dialog(page).getByRole("button", { name: "完成" }).click();
  await expect(bar).toHaveCount(0);
});

test.describe("with 250 hosts", () => {
  test.use({ providerArgs: ["--hosts", "250", "--regions", "4", "--projects", "2"] });

  test("selects a range with Shift, and all hosts of the filter unless it is stopped", async ({
    page,
    provider,
    server,
  }) => {
    await importHosts(await signInToApi(server.url), provider);
    await signIn(page);
    await page.goto("/hosts?view=table");
    const bar = page.getByRole("region", { name: "批量操作" });
    const boxes = page.getByRole("table", { name: "主机列表" }).getByRole("checkbox", { name: /^选择 / });

    await boxes.nth(12).click();
    await boxes.nth(3).click({ modifiers: ["Shift"] });
    await expect(bar).toContainText("已选 10 台主机");
    expect(await page.evaluate("getSelection().toString()")).toBe("");
    await boxes.nth(10).click({ modifiers: ["Shift"] });
    await expect(bar).toContainText("已选 2 台主机");

    await page.getByRole("checkbox", { name: "选择本页全部" }).click();
    const selectAll = bar.getByRole("button", { name: "选择全部 250 台符合条件的主机" });
    const held = Promise.withResolvers<void>();
    await page.route(/hosts\.list/, async (route) => {
      await held.promise;
      await route.continue().catch(() => undefined);
    });
    await selectAll.click();
    await expect(bar.getByRole("progressbar")).toHaveAttribute("aria-valuetext", "正在读取 0 / 250 台");
    await expectAccessible(page);
    await bar.getByRole("button", { name: "停止" }).click();
    await expect(bar).toContainText("已选 20 台主机");
    held.resolve();
    await page.unroute(/hosts\.list/);

    await selectAll.click();
    await expect(bar).toContainText("已选 250 台主机");
    await expect(selectAll).toHaveCount(0);
    await bar.getByRole("button", { name: "同步", exact: true }).click();
    await expect(dialog(page)).toContainText("已选择 250 台主机");
  });
});
