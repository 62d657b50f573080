import type { Page } from "@playwright/test";
import { MAIN_KEYS } from "../../src/simulator/options.ts";
import { PASSWORD } from "../harness/root-user.ts";
import { signIn as signInToApi } from "../harness/server-fixture.ts";
import { dialog, fillConfig, fillUser, goTo, submit, submitSignIn, toast } from "./actions.ts";
import { createUser } from "./api.ts";
import { allowErrors, expect, expectAccessible, test } from "./fixtures.ts";

test("gives a form's text back after the session ended, but no secrets", async ({
  page,
  server,
  signIn,
}) => {
  allowErrors(/401/);
  await signIn(page, "/users");
  await fillUser(page);

  await endSessions(page, server.url);
  await submitSignIn(page);
  await expect(page).toHaveURL("/users");
  await expect(toast(page, "上次填写的内容已保留", "创建用户")).toBeVisible();

  await page.getByRole("button", { name: "创建用户" }).first().click();

  await expect(dialog(page).getByText("已恢复上次未提交的内容")).toBeVisible();
  await expect(dialog(page).getByLabel("用户名")).toHaveValue("zhang_kehu");
  await expect(dialog(page).getByLabel("用户名")).toBeFocused();
  await expect(dialog(page).getByLabel("姓名")).toHaveValue("张客户");
  await expect(dialog(page).getByLabel("密码", { exact: true })).toHaveValue("");
  await expectAccessible(page);

  await dialog(page).getByLabel("密码", { exact: true }).fill(PASSWORD);
  await submit(page, "创建", "创建成功");
  await page.getByRole("button", { name: "创建用户" }).first().click();
  await expect(dialog(page).getByLabel("用户名")).toHaveValue("");
});

test("keeps no keys of a configuration, and nothing that was discarded", async ({
  page,
  provider,
  server,
  signIn,
}) => {
  allowErrors(/401/);
  await signIn(page, "/configs");
  await fillConfig(page, provider.url);
  await dialog(page).getByLabel("余额预警").fill("99.5");

  const stored = await page.evaluate("JSON.stringify({ ...sessionStorage })");
  expect(stored).toContain(provider.url);
  expect(stored).not.toContain(MAIN_KEYS.privateKey);
  expect(stored).not.toContain(MAIN_KEYS.publicKey);

  await endSessions(page, server.url);
  await submitSignIn(page);
  await page.getByRole("button", { name: "新增配置" }).first().click();
  await expect(dialog(page).getByLabel("API 地址")).toHaveValue(provider.url);
  await expect(dialog(page).getByLabel("余额预警")).toHaveValue("99.5");
  await expect(dialog(page).getByLabel("公钥")).toHaveValue("");

  await dialog(page).getByRole("button", { name: "取消" }).click();
  await page.getByRole("button", { name: "新增配置" }).first().click();
  await expect(dialog(page).getByLabel("配置名称")).toHaveValue("");
});

test("gives a form's text to nobody else, and to nobody after a sign-out", async ({
  page,
  context,
  api,
  server,
  signIn,
}) => {
  allowErrors(/401/);
  // Only super admins have this form, and no call makes one.
  const other = await createUser(api, { username: "wang_guanli", name: "王管理", role: "admin" });
  await signIn(page, "/users");
  await fillUser(page);
  expect(await countDrafts(page)).toBe(1);
  await endSessions(page, server.url);
  expect(await countDrafts(page)).toBe(1);

  await submitSignIn(page, other);
  await expect(page.getByRole("banner")).toBeVisible();
  expect(await countDrafts(page)).toBe(0);

  await signOut(page);
  await submitSignIn(page);
  await expect(page.getByRole("banner")).toBeVisible();
  await goTo(page, "/users");
  await fillUser(page);

  const second = await context.newPage();
  await second.goto("/dashboard");
  await signOut(second);
  await expect(page).toHaveURL(/\/login/);
  expect(await countDrafts(page)).toBe(0);
});

function countDrafts(page: Page): Promise<unknown> {
  return page.evaluate("Object.keys(sessionStorage).filter((key) => key.includes('draft')).length");
}

/** Ends the sessions as a person does from another device, and waits until the window knows. */
async function endSessions(page: Page, url: string): Promise<void> {
  await (await signInToApi(url)).delete("/api/auth/sessions");
  await expect(page.getByText("认证失败，请重新登录")).toBeVisible();
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole("button", { name: /^用户菜单/ }).click();
  await page.getByRole("menuitem", { name: "退出登录" }).click();
  await expect(page).toHaveURL(/\/login/);
}
