import type { Locator, Page } from "@playwright/test";
import { MAIN_KEYS } from "../../src/simulator/options.ts";
import { requestRenewal } from "../harness/data.ts";
import { configure } from "../harness/server-fixture.ts";
import {
  boxOf,
  countCalls,
  dialog,
  fillConfig,
  fillUser,
  submitSignIn,
  toast,
  untilTakesEnter,
} from "./actions.ts";
import {
  allowErrors,
  expect,
  expectAccessible,
  expectApart,
  pressEscape,
  test,
} from "./fixtures.ts";

test.use({ contextOptions: { reducedMotion: "no-preference" } });

test("sends a form once when its button is clicked twice", async ({ page, signIn }) => {
  // The username that is taken.
  allowErrors(/409/);
  await signIn(page, "/users");
  await fillUser(page);
  const calls = countCalls(page, "users.create");
  const form = dialog(page);

  await form.getByLabel("用户名").fill("root");
  await form.getByRole("button", { name: "创建", exact: true }).dblclick();
  await expect(toast(page, "创建失败")).toHaveCount(1);
  await expect(form.getByLabel("用户名")).toBeFocused();

  await form.getByLabel("用户名").fill("zhang_kehu");
  await form.getByRole("button", { name: "创建", exact: true }).dblclick();
  await expect(form).toBeHidden();
  await expect(toast(page, "创建成功", "张客户")).toBeVisible();

  expect(calls()).toBe(2);
});

test("sends a form by Ctrl+Enter from any of its fields", async ({ page, admin, signIn }) => {
  await signIn(page, "/users");
  await page.getByRole("button", { name: `编辑 ${admin.name}` }).click();
  await dialog(page).getByLabel("手机号").fill("13800138000");

  await untilTakesEnter(page);
  await page.keyboard.press("Control+Enter");

  await expect(toast(page, "更新成功")).toBeVisible();
  await expect(dialog(page)).toBeHidden();
});

/** What asks whether a form with changes is to be closed. */
function discardQuestion(page: Page): Locator {
  return page.getByRole("alertdialog", { name: "放弃未保存的内容？" });
}

test("asks before Esc, a click outside or 关闭 discards changes of a form", async ({
  page,
  provider,
  signIn,
}) => {
  await signIn(page, "/configs");
  const form = page.getByRole("dialog");
  const question = discardQuestion(page);

  // Without changes nothing is asked.
  await page.getByRole("button", { name: "新增配置" }).first().click();
  await expect(form.getByLabel("配置名称")).toBeFocused();
  await pressEscape(page);
  await expect(dialog(page)).toBeHidden();

  await fillConfig(page, provider.url);
  await pressEscape(page);
  await expect(question).toBeVisible();
  await expectAccessible(page);
  await question.getByRole("button", { name: "继续编辑" }).click();
  await expect(question).toBeHidden();
  await expect(form.getByLabel("API 地址")).toBeFocused();
  await expect(form.getByLabel("公钥")).toHaveValue(MAIN_KEYS.publicKey);

  await page.mouse.click(8, 8);
  await question.getByRole("button", { name: "继续编辑" }).click();
  await expect(form.getByLabel("公钥")).toHaveValue(MAIN_KEYS.publicKey);

  await form.getByRole("button", { name: "关闭" }).click();
  await question.getByRole("button", { name: "放弃" }).click();
  await expect(dialog(page)).toBeHidden();
  await expect(page.getByRole("button", { name: "新增配置" }).first()).toBeFocused();
});

test("lets the browser ask before a reload discards a form, and 取消 discard it", async ({
  page,
  provider,
  signIn,
}) => {
  await signIn(page, "/configs");
  await fillConfig(page, provider.url);
  const form = page.getByRole("dialog");

  // The reload waits for the answer: it must not be awaited before the dialog.
  const browserDialog = page.waitForEvent("dialog");
  await page.evaluate("setTimeout(() => location.reload())");
  await (await browserDialog).dismiss();
  await expect(form.getByLabel("公钥")).toHaveValue(MAIN_KEYS.publicKey);

  await form.getByRole("button", { name: "取消" }).click();
  await expect(dialog(page)).toBeHidden();
});

test("asks before the back button discards a form, and leaves the page by the next", async ({
  page,
  provider,
  signIn,
}) => {
  await signIn(page, "/users");
  await page.getByRole("link", { name: "配置管理" }).click();
  await fillConfig(page, provider.url);

  await page.evaluate("history.back()");
  await discardQuestion(page).getByRole("button", { name: "放弃" }).click();
  await expect(dialog(page)).toBeHidden();

  await page.evaluate("history.back()");
  await expect(page).toHaveURL(/\/users$/);
});

test("removes a failed connection test when the key is corrected", async ({
  page,
  api,
  provider,
  signIn,
}) => {
  await configure(api, provider, { name: "主账号" });
  await configure(api, provider, { name: "子账号", privateKey: "wrong" });
  await signIn(page, "/configs");
  const testButton = page.getByRole("button", { name: "测试连接" }).last();
  const failure = page.getByRole("main").getByText("签名校验失败");
  await testButton.click();
  await expect(toast(page, "连接失败", "签名校验失败")).toBeVisible();
  await expect(failure).toBeVisible();

  await page.getByRole("button", { name: "编辑 子账号" }).click();
  await dialog(page).getByLabel("私钥", { exact: false }).first().fill(MAIN_KEYS.privateKey);
  await dialog(page).getByRole("button", { name: "保存" }).click();
  await expect(dialog(page).getByText("连接正常，已开始同步")).toBeVisible();
  await dialog(page).getByRole("button", { name: "完成" }).click();
  await expect(dialog(page)).toBeHidden();
  await expect(failure).toHaveCount(0);
  await expect(toast(page, "连接失败")).toHaveCount(0);

  await testButton.click();
  await expect(toast(page, "连接成功", "子账号")).toBeVisible();
});

test("makes another configuration the default and returns the focus to its button", async ({
  page,
  api,
  provider,
  signIn,
}) => {
  await configure(api, provider, { name: "主账号" });
  await configure(api, provider, { name: "子账号" });
  await signIn(page, "/configs");
  const card = page
    .getByRole("list", { name: "配置列表" })
    .getByRole("listitem")
    .filter({ hasText: "子账号" });

  await page.getByRole("button", { name: "编辑 子账号" }).press("Enter");
  await dialog(page).getByRole("switch", { name: "设为默认配置" }).check();
  await dialog(page).getByRole("button", { name: "保存" }).click();

  await expect(card.getByText("默认", { exact: true })).toBeVisible();
  await expect(page.getByRole("button", { name: "删除 主账号" })).toBeVisible();
  await expect(page.getByRole("button", { name: "删除 子账号" })).toHaveCount(0);
  await expect(page.getByRole("button", { name: "编辑 子账号" })).toBeFocused();
});

test("leaves the user menu free under a toast", async ({ page, signIn }) => {
  await signIn(page, "/system-config");
  await page.getByRole("switch", { name: "向C端用户显示网络信息" }).click();
  const menu = page.getByRole("button", { name: /^用户菜单/ });

  await expectApart(page, toast(page, "系统配置更新成功"), menu);
  await menu.click();

  await expect(page.getByRole("menuitem", { name: "退出登录" })).toBeVisible();
});

test("creates a configuration and tests it at once", async ({ page, provider, signIn }) => {
  await signIn(page, "/configs");
  await fillConfig(page, provider.url);
  await expect(dialog(page).getByRole("button", { name: "显示私钥" })).toBeVisible();

  await dialog(page).getByRole("button", { name: "创建并测试" }).click();

  await expect(page.getByText(/密钥有效，可见 \d+ 个地域/)).toBeVisible();
});

test("brings a configuration that is tested at once into view with its result", async ({
  page,
  api,
  provider,
  signIn,
}) => {
  for (let number = 1; number <= 8; number += 1) {
    await configure(api, provider, { name: `账号 ${number}`, isActive: false });
  }
  await signIn(page, "/configs");
  await expect(page.getByRole("group", { name: "账号 8" })).not.toBeInViewport();
  await fillConfig(page, provider.url);

  await dialog(page).getByRole("button", { name: "创建并测试" }).click();

  await expect(page.getByText(/密钥有效，可见 \d+ 个地域/)).toBeInViewport();
});

test("says what is deleted with a configuration, and tells similar keys apart", async ({
  page,
  api,
  provider,
  client,
  assignedHost,
  signIn,
}) => {
  await requestRenewal(client.api, assignedHost.id, 30);
  await configure(api, provider, { name: "子账号", isDefault: true });
  await signIn(page, "/configs");
  const card = page
    .getByRole("listitem")
    .filter({ has: page.getByRole("heading", { name: "生产账号" }) });
  await expect(card).toContainText("首尾与“子账号”相同；这一个读取全部项目");
  await expect(card.getByRole("link", { name: "60 台" })).toBeVisible();

  await page.getByRole("button", { name: "删除 生产账号" }).click();

  await expect(dialog(page)).toContainText("60 台主机、1 个分配、1 个未完成的续费申请");
});

test("moves no field of the sign-in when errors appear", async ({ page }) => {
  allowErrors(/401/);
  await page.goto("/login");
  const signInButton = page.getByRole("button", { name: "登录", exact: true });
  const before = await boxOf(signInButton);

  await signInButton.click();
  await expect(page.getByText("密码不能为空")).toBeVisible();
  expect(await boxOf(signInButton)).toEqual(before);

  await submitSignIn(page, { username: "nobody", password: "Wrong1Horse" });
  await expect(page.getByRole("alert")).toContainText("登录失败");
  expect(await boxOf(signInButton)).toEqual(before);
});
