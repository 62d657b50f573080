import { chooseAllConfigurations, dialog, syncSection } from "./actions.ts";
import { importHosts, signInToApi } from "./api.ts";
import { expect, expectAccessible, signIn, test } from "./fixtures.ts";

test.use({ providerArgs: ["--hosts", "20", "--regions", "1", "--projects", "1"] });

test("holds a mass removal and says how to confirm it", async ({ page, provider, server }) => {
  const hosts = await importHosts(await signInToApi(server.url), provider);
  const deleted = hosts.slice(0, 10);
  await provider.control("removeHosts", { ids: deleted.map(({ ucloudId }) => ucloudId) });
  await signIn(page);
  await page.goto("/hosts?view=table");
  await chooseAllConfigurations(page);
  await expect(page.getByText("同步部分完成")).toBeVisible();
  await expect(syncSection(page)).toContainText("有 10 台主机（共 20 台）未再出现");
  await syncSection(page).getByRole("button", { name: "查看详情" }).click();
  await expect(page.getByRole("dialog")).toContainText("勾选这些主机分批“同步”（每批不超过主机总数的 30%）");
  await expect(page.getByRole("dialog").getByRole("list", { name: "同步问题" })).toContainText("暂缓移除");
  await expect(page.getByRole("dialog")).not.toContainText("部分内容未能读取");
  await expectAccessible(page);
  await page.goto("/configs");
  await expect(page.getByText("有主机暂缓移除")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "查看同步详情" }).click();
  await expect(page.getByRole("dialog").getByRole("list", { name: "同步问题" })).toContainText("暂缓移除");

  await page.goto("/hosts?view=table");
  for (const { ucloudId } of deleted.slice(0, 6)) {
    await page.getByRole("row").filter({ hasText: ucloudId }).getByRole("checkbox").click();
  }
  await page.getByRole("region", { name: "批量操作" }).getByRole("button", { name: "同步", exact: true }).click();
  await dialog(page).getByRole("button", { name: "同步 6 台" }).click();
  await expect(dialog(page).getByRole("status").first()).toContainText("同步完成 6 / 6 台成功 6");
  await dialog(page).getByRole("button", { name: "完成" }).click();
  await chooseAllConfigurations(page);
  await expect(syncSection(page)).toContainText("消失 4 台");
  for (const { ucloudId } of deleted) await expect(rowOf(ucloudId)).toBeHidden();

  function rowOf(ucloudId: string) {
    return page.getByRole("row").filter({ hasText: ucloudId });
  }
});

test("warns before saving that narrowing the projects marks hosts gone", async ({ page, provider, server }) => {
  await importHosts(await signInToApi(server.url), provider);
  await signIn(page);
  await page.goto("/configs");
  await page.getByRole("button", { name: /^编辑 / }).click();
  await dialog(page).getByLabel("项目 ID").fill("org-other ");
  await expect(dialog(page).getByRole("status")).toContainText("未列出的项目中的主机将标记为“已消失”");
  await expectAccessible(page);
});
