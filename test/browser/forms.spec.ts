import type { Page } from "@playwright/test";
import { MAIN_KEYS } from "../../src/simulator/options.ts";
import { expect, expectAccessible, signIn, test } from "./fixtures.ts";
import { dialog, toast } from "./journeys.ts";

test("a double click on a dialog's button sends once", async ({ page, provider }) => {
  await signIn(page);
  await page.goto("/configs");
  await fillConfiguration(page, provider.url);
  const sent = countCalls(page, "configs.create");
  await dialog(page).getByRole("button", { name: "创建" }).dblclick();
  await expect(dialog(page)).toBeHidden();
  await expect(page.getByRole("heading", { name: "生产账号" })).toHaveCount(1);

  await page.goto("/users");
  await fillUser(page);
  await dialog(page).getByRole("button", { name: "创建" }).dblclick();
  await expect(dialog(page)).toBeHidden();
  await expect(toast(page, "创建成功", "张客户")).toBeVisible();
  await expect(toast(page, "创建失败")).toHaveCount(0);
  expect(sent()).toBe(1);
});

test("what is filled in is not lost by Esc or by a click beside the dialog", async ({ page, provider }) => {
  await signIn(page);
  await page.goto("/configs");
  await page.getByRole("button", { name: "新增配置" }).first().click();
  await page.keyboard.press("Escape");
  await expect(dialog(page)).toBeHidden();

  await fillConfiguration(page, provider.url);
  const form = page.getByRole("dialog");
  const question = page.getByRole("alertdialog", { name: "放弃未保存的内容？" });
  await page.keyboard.press("Escape");
  await expectAccessible(page);
  await question.getByRole("button", { name: "继续编辑" }).click();
  await expect(question).toBeHidden();
  await expect(form.getByLabel("API地址")).toBeFocused();
  await expect(form.getByLabel("公钥")).toHaveValue(MAIN_KEYS.publicKey);
  await form.getByRole("button", { name: "关闭" }).click();
  await page.keyboard.press("Escape");
  await expect(question).toBeHidden();
  await page.mouse.click(8, 8);
  await expect(form.getByLabel("公钥")).toHaveValue(MAIN_KEYS.publicKey);
  await form.getByRole("button", { name: "关闭" }).click();
  await question.getByRole("button", { name: "放弃" }).click();
  await expect(dialog(page)).toBeHidden();
  await expect(page.getByRole("button", { name: "新增配置" }).first()).toBeFocused();

  // 取消 means it.
  await fillConfiguration(page, provider.url);
  await form.getByRole("button", { name: "取消" }).click();
  await expect(dialog(page)).toBeHidden();
});

async function fillConfiguration(page: Page, url: string): Promise<void> {
  await page.getByRole("button", { name: "新增配置" }).first().click();
  await dialog(page).getByLabel("配置名称").fill("生产账号");
  await dialog(page).getByLabel("公钥").fill(MAIN_KEYS.publicKey);
  await dialog(page).getByLabel("私钥", { exact: false }).first().fill(MAIN_KEYS.privateKey);
  await dialog(page).getByLabel("API地址").fill(url);
}

async function fillUser(page: Page): Promise<void> {
  await page.getByRole("button", { name: "创建用户" }).first().click();
  await dialog(page).getByLabel("用户名").fill("zhang_kehu");
  await dialog(page).getByLabel("密码", { exact: true }).fill("Correct1Horse");
  await dialog(page).getByLabel("姓名").fill("张客户");
}

/** Answers how often the console has asked for this since. */
function countCalls(page: Page, procedure: string): () => number {
  let count = 0;
  page.on("request", (request) => {
    if (request.url().includes(procedure)) count += 1;
  });
  return () => count;
}
