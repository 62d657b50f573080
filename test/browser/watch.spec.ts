import type { Locator, Page } from "@playwright/test";
import { assertOk } from "../harness/rest.ts";
import { configure } from "../harness/server-fixture.ts";
import { dialog, expectLive, submit, toast } from "./actions.ts";
import { expect, test } from "./fixtures.ts";

/** What a card says of this. */
function fact(page: Page, label: string): Locator {
  return page.getByRole("definition").and(page.locator(`dt:text-is("${label}") + dd`));
}

test("chooses the interval of a configuration, hourly for a new one", async ({
  page,
  api,
  provider,
  signIn,
}) => {
  await configure(api, provider);
  await signIn(page, "/configs");
  await expect(fact(page, "自动同步")).toHaveText("每小时");
  await expect(fact(page, "下次同步")).toHaveText(/^1 小时后 · \d{4}-\d\d-\d\d \d\d:\d\d$/);

  await page.getByRole("button", { name: "新增配置" }).click();
  await expect(dialog(page).getByLabel("自动同步")).toHaveValue("60");
  await dialog(page).getByRole("button", { name: "取消" }).click();
  await page.getByRole("button", { name: "编辑 生产账号" }).click();
  await dialog(page).getByLabel("自动同步").selectOption("每天");
  await submit(page, "保存", "更新成功");

  await expect(fact(page, "自动同步")).toHaveText("每天");
  await expect(fact(page, "下次同步")).toHaveText(/^1 天后/);
});

test("switches on the schedule of a configuration without one in one click", async ({
  page,
  api,
  provider,
  signIn,
}) => {
  const id = await configure(api, provider, { syncIntervalMinutes: null });
  await signIn(page, "/configs");
  await expectLive(page);

  await page.getByRole("button", { name: "开启自动同步" }).click();

  await expect(toast(page, "已开启自动同步", "“生产账号”每小时同步一次")).toBeVisible();
  await expect(fact(page, "自动同步")).toHaveText("每小时");
  await assertOk(api.put(`/api/hosts/configs/${id}`, { syncIntervalMinutes: null }));
  await expect(page.getByRole("button", { name: "开启自动同步" })).toBeVisible();
});
