import type { Locator, Page } from "@playwright/test";
import { insertRun } from "../harness/data.ts";
import type { TestDatabase } from "../harness/database.ts";
import { assertOk } from "../harness/rest.ts";
import { configure } from "../harness/server-fixture.ts";
import { dialog, expectLive, submit, toast } from "./actions.ts";
import { expect, expectAccessible, test } from "./fixtures.ts";

/** Scheduled runs that the provider refused, so many that the schedule is paused. */
async function insertRefusals(database: TestDatabase, configId: string): Promise<void> {
  const message = "密钥未通过云服务商校验";
  const errors = [{ region: null, projectId: null, code: "unauthorized", message }];
  for (let run = 1; run <= 5; run += 1) {
    const at = Math.floor(Date.now() / 1000) + run;
    const times = { queued_at: at, started_at: at, finished_at: at };
    const names = { config_name: "生产账号", trigger: "schedule", status: "failed" };
    await insertRun({ database }, configId, { ...names, ...times, errors });
  }
}

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

test("says on card and dashboard why a schedule is paused, and the way on", async ({
  page,
  api,
  database,
  provider,
  signIn,
}) => {
  const id = await configure(api, provider);
  await insertRefusals(database, id);
  await signIn(page);
  const line = page.getByRole("listitem").filter({ hasText: "“生产账号”的自动同步已暂停" });

  await line.getByRole("link", { name: "处理" }).click();

  await expect(page.getByText("连续5次定时同步被拒绝")).toBeVisible();
  await expect(fact(page, "自动同步")).toHaveText("每小时（已暂停）");
  await expectAccessible(page);
  await page.getByRole("button", { name: "更新密钥" }).click();
  await expect(dialog(page).getByLabel("公钥")).toBeVisible();
});

test("names a scheduled run 自动 and does not pop up for it", async ({
  page,
  api,
  database,
  provider,
  signIn,
}) => {
  const id = await configure(api, provider);
  await insertRun({ database }, id, { trigger: "schedule", config_name: "生产账号" });
  await signIn(page, "/hosts");

  await page.getByRole("button", { name: "查看同步进度" }).click();

  const run = dialog(page).getByRole("list", { name: "同步记录" }).getByRole("listitem");
  await expect(run.getByText("自动", { exact: true })).toBeVisible();
  await expect(run.getByText(/ · 自动同步$/)).toBeVisible();
  await expect(page.getByRole("region", { name: "同步进度", includeHidden: true })).toHaveCount(0);
});
