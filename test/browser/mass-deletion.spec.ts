import { assertOk } from "../harness/rest.ts";
import {
  batchBar,
  dialog,
  goTo,
  openSyncPanel,
  row,
  selectPage,
  submit,
  syncAllConfigs,
} from "./actions.ts";
import { expect, expectAccessible, pressEscape, test } from "./fixtures.ts";

test.use({ simulation: { hosts: 20, regions: 1, projects: 1 } });

test("holds a mass removal until each host is confirmed or kept", async ({
  page,
  api,
  hosts,
  provider,
  signIn,
}) => {
  const missing = hosts.slice(0, 10);
  const [gone, restored, kept] = hosts;
  provider.control.removeHosts({ ids: missing.map(({ ucloudId }) => ucloudId) });
  await signIn(page, "/hosts?view=table");

  await syncAllConfigs(page);
  await expect(page.getByText("同步部分完成")).toBeVisible();
  const panel = await openSyncPanel(page);
  await expect(panel).toContainText("有 10 台主机（共 20 台）未再出现");

  await panel.getByText("生产账号").first().click();
  const problems = panel.getByRole("list", { name: "同步问题" });
  await expect(problems).toContainText("若确已删除，请在“待确认消失”中确认");
  await expect(problems).toContainText("待确认消失");
  await expect(panel).not.toContainText("部分内容未能读取");
  const link = page.getByRole("link", { name: "处理待确认的主机" });
  await expect(link).toHaveAttribute("href", /\/hosts\/held\?configId=/);
  await pressEscape(page);

  await page.getByRole("link", { name: "仪表盘" }).click();
  await page.getByRole("link", { name: "核实：10 台主机待确认消失" }).click();
  await expect(row(page, gone.ucloudId)).toContainText("大批主机同时消失");
  await expectAccessible(page);

  const rows = page.getByRole("table").getByRole("rowgroup").last().getByRole("row");
  await page.getByLabel("搜索待确认的主机").fill(gone.ucloudId);
  await expect(rows).toHaveCount(1);
  await rows.getByRole("checkbox").click();
  await page.getByRole("button", { name: "清除筛选" }).click();

  await row(page, restored.ucloudId).getByRole("checkbox").click();
  // The provider lists it again when the confirmation asks.
  provider.control.restoreHosts({ ids: [restored.ucloudId] });
  await batchBar(page).getByRole("button", { name: "确认已消失" }).click();
  await expect(dialog(page)).toContainText(`${gone.name}、${restored.name}`);
  await dialog(page).getByRole("button", { name: "确认已消失 2 台" }).click();

  await expect(dialog(page).getByRole("status")).toHaveText(
    "确认已消失完成 2 / 2 台成功 1仍存在 1",
  );
  await expect(dialog(page).getByRole("listitem").first()).toContainText("云服务商处仍有这台主机");
  await dialog(page).getByRole("button", { name: "完成" }).click();
  await expect(rows).toHaveCount(8);

  // Another person decides meanwhile.
  await assertOk(api.post("/api/hosts/held-removals/dismiss", { hostIds: [kept.id] }));
  await expect(rows).toHaveCount(7);

  const [other] = missing.slice(3);
  await page.getByRole("button", { name: `保留 ${other?.name}` }).click();
  await submit(page, "保留 1 台", "保留完成", "1 台主机");
  await expect(rows).toHaveCount(6);

  await selectPage(page);
  await batchBar(page).getByRole("button", { name: "保留" }).click();
  await submit(page, "保留 6 台", "保留完成", "6 台主机");
  await expect(page.getByText("没有待确认的主机")).toBeVisible();

  await page.getByRole("link", { name: "返回主机管理" }).click();
  await expect(page).toHaveURL(/\/hosts$/);

  await goTo(page, "/configs");
  await expect(page.getByText("部分完成")).toBeVisible();
  await expect(page.getByRole("link", { name: "确认或保留" })).toHaveCount(0);
});

test("warns before saving that narrowing the projects marks hosts gone", async ({
  page,
  hosts: _,
  signIn,
}) => {
  await signIn(page, "/configs");
  await page.getByRole("button", { name: /^编辑 / }).click();

  await dialog(page).getByLabel("项目 ID").fill("org-other");
  await dialog(page).getByLabel("项目 ID").press("Enter");

  await expect(dialog(page).getByRole("status")).toContainText(
    "未列出的项目中的 20 台主机将标记为“已消失”",
  );
  await expectAccessible(page);
});
