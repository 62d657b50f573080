import type { Page } from "@playwright/test";
import { now } from "../harness/data.ts";
import { assertOk, type RestClient } from "../harness/rest.ts";
import { PASSWORD, ROOT_USER } from "../harness/root-user.ts";
import { codeAt, enableSecondFactor, STEP } from "../harness/second-factor.ts";
import { signIn as signInToApi } from "../harness/server-fixture.ts";
import { actOnUser, dialog, goTo, PHONE, submit, submitSignIn, toast } from "./actions.ts";
import { allowErrors, expect, expectAccessible, pressEscape, test } from "./fixtures.ts";

function codeField(page: Page) {
  return page.getByLabel("验证码", { exact: true });
}

/** The key of the set-up, as it is typed where no camera is at hand. */
async function readSecret(page: Page): Promise<string> {
  const shown = await page.getByText(/^([A-Z2-7]{4} )+[A-Z2-7]{1,4}$/).textContent();
  return (shown ?? "").replaceAll(" ", "");
}

/** From the password to the recovery codes. */
async function setUp(page: Page): Promise<{ secret: string; recoveryCodes: string[] }> {
  await page.getByLabel("当前密码").last().fill(PASSWORD);
  await page.getByRole("button", { name: "下一步" }).click();
  const secret = await readSecret(page);
  await page.getByRole("button", { name: "下一步" }).click();
  await codeField(page).fill(codeAt(secret, now()));
  await page.getByRole("button", { name: "开启两步验证" }).last().click();

  const list = page.getByRole("list", { name: "恢复码" });
  await expect(list.getByRole("listitem")).toHaveCount(10);
  return { secret, recoveryCodes: await list.getByRole("listitem").allTextContents() };
}

function requireOf(api: RestClient, ...roles: readonly string[]) {
  return assertOk(api.put("/api/security-settings", { secondFactorRequiredRoles: roles }));
}

test("asks for a code after the password, names a wrong one, and leads back", async ({
  page,
  admin,
  server,
}) => {
  allowErrors(/401/);
  const own = await signInToApi(server.url, admin);
  const { secret } = await enableSecondFactor(own, now(), PASSWORD);
  await page.goto("/hosts?search=web");
  const code = codeField(page);
  const send = page.getByRole("button", { name: "验证并登录" });

  await submitSignIn(page, admin);
  await expect(code).toBeFocused();
  await expectAccessible(page);
  await send.click();
  await expect(page.getByText("验证码不能为空")).toBeVisible();
  await page.getByRole("button", { name: "返回登录" }).click();
  await submitSignIn(page, admin);
  await code.fill("000000");
  await send.click();
  await expect(page.getByText("验证码或恢复码不正确，或已经使用过")).toBeVisible();
  await expect(code).toBeFocused();
  // The code of the present step was accepted when the second factor was switched on.
  const next = codeAt(secret, now() + STEP);
  await code.fill(`${toFullWidth(next.slice(0, 3))} ${next.slice(3)}`);
  await page.keyboard.press("Enter");

  await expect(page).toHaveURL(/\/hosts\?search=web/);
});

/** As an input method leaves digits behind. */
function toFullWidth(digits: string): string {
  return digits.replaceAll(/\d/g, (digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0));
}

test("takes a recovery code, and leads back to the password after five wrong codes", async ({
  page,
  admin,
  server,
}) => {
  allowErrors(/401/);
  const own = await signInToApi(server.url, admin);
  const { recoveryCodes } = await enableSecondFactor(own, now(), PASSWORD);
  const send = page.getByRole("button", { name: "验证并登录" });
  await page.goto("/login");

  await submitSignIn(page, admin);
  for (let wrong = 0; wrong < 5; wrong += 1) {
    await codeField(page).fill(`00000${wrong}`);
    await send.click();
    await expect(page.getByText(/恢复码不正确|登录验证已失效/)).toBeVisible();
  }
  await expect(page.getByText("登录验证已失效，请重新输入用户名和密码")).toBeVisible();

  await submitSignIn(page, admin);
  await page.getByText("丢失设备？").click();
  await expect(page.getByText(/请联系超级管理员/)).toBeVisible();
  await page.getByRole("button", { name: "使用恢复码" }).click();
  await expect(page.getByLabel("恢复码", { exact: true })).toBeFocused();
  await expectAccessible(page);
  await page.getByLabel("恢复码", { exact: true }).fill(recoveryCodes[0] ?? "");
  await send.click();

  await expect(page).toHaveURL(/\/dashboard/);
});

test("is switched on in three steps, whose codes are kept before they go", async ({
  page,
  context,
  signIn,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await signIn(page, "/account");
  await page.getByRole("button", { name: "开启两步验证" }).click();

  await dialog(page).getByLabel("当前密码").fill("Wrong1Horse");
  allowErrors(/400/);
  await dialog(page).getByRole("button", { name: "下一步" }).click();
  await expect(dialog(page).getByText("当前密码不正确")).toBeVisible();
  const { recoveryCodes } = await setUp(page);
  await expectAccessible(page);

  await pressEscape(page);
  await expect(dialog(page).getByText("请先保存，再勾选“我已保存”")).toBeVisible();
  await dialog(page).getByRole("button", { name: "复制" }).click();
  const copied = String(await page.evaluate("navigator.clipboard.readText()"));
  for (const code of recoveryCodes) expect(copied).toContain(code);
  const downloading = page.waitForEvent("download");
  await dialog(page).getByRole("button", { name: "下载" }).click();
  expect((await downloading).suggestedFilename()).toBe(`恢复码-${ROOT_USER.username}.txt`);
  await dialog(page).getByLabel("我已保存").click();
  await dialog(page).getByRole("button", { name: "完成" }).click();

  await expect(dialog(page)).toHaveCount(0);
  await expect(page.getByText("已开启", { exact: true })).toBeVisible();
});

test("gives new recovery codes, and is switched off, by password and code", async ({
  page,
  api,
}) => {
  allowErrors(/400/);
  const { secret, recoveryCodes } = await enableSecondFactor(api, now());
  const [first = ""] = recoveryCodes;
  await signInWithFactor(page, codeAt(secret, now() + STEP));
  await goTo(page, "/account");

  await page.getByRole("button", { name: "重新生成恢复码" }).click();
  await expectAccessible(page);
  await dialog(page).getByLabel("当前密码").fill(PASSWORD);
  await dialog(page).getByLabel("验证码", { exact: true }).fill(first);
  await dialog(page).getByRole("button", { name: "重新生成" }).click();
  const fresh = page.getByRole("list", { name: "恢复码" }).getByRole("listitem");
  await expect(fresh).toHaveCount(10);
  const [next = ""] = await fresh.allTextContents();
  await dialog(page).getByLabel("我已保存").click();
  await dialog(page).getByRole("button", { name: "完成" }).click();

  await page.getByRole("button", { name: "关闭两步验证" }).click();
  await dialog(page).getByLabel("当前密码").fill(PASSWORD);
  await dialog(page).getByLabel("验证码", { exact: true }).fill(first);
  await dialog(page).getByRole("button", { name: "关闭两步验证" }).click();
  await expect(dialog(page).getByText("验证码或恢复码不正确，或已经使用过")).toBeVisible();
  await dialog(page).getByLabel("验证码", { exact: true }).fill(next);
  await submit(page, "关闭两步验证", "两步验证已关闭");
  await expect(page.getByText("未开启", { exact: true })).toBeVisible();
});

async function signInWithFactor(page: Page, code: string): Promise<void> {
  await page.goto("/login");
  await submitSignIn(page);
  await codeField(page).fill(code);
  await page.getByRole("button", { name: "验证并登录" }).click();
  await expect(page).toHaveURL(/\/dashboard/);
}

test("is required of a role in 系统配置, which leads an open session through the set-up", async ({
  page,
  api,
  admin,
  signIn,
  openWindow,
}) => {
  allowErrors(/403/);
  await signIn(page, "/system-config");
  const phone = await openWindow(PHONE);
  await signIn(phone, "/hosts", admin);
  await expect(page.getByText("您自己还没有开启两步验证")).toBeVisible();
  await expect(page.getByRole("switch", { name: "超级管理员" })).toBeDisabled();

  await page.getByRole("switch", { name: "管理员", exact: true }).click();
  await expect(dialog(page)).toContainText("1 名管理员下次操作前需要设置");
  await expectAccessible(page);
  await submit(page, "要求使用", "安全设置更新成功");

  await expect(phone.getByRole("heading", { name: "开启两步验证" })).toBeVisible();
  await expectAccessible(phone);
  await setUp(phone);
  await expectAccessible(phone);
  await phone.getByLabel("我已保存").click();
  await phone.getByRole("button", { name: "进入系统" }).click();
  await expect(phone).toHaveURL(/\/hosts/);
  await expect(phone.getByRole("banner")).toBeVisible();
  await expect(page.getByText("启用的用户都已开启两步验证")).toHaveCount(2);
  expect((await requireOf(api, "admin")).data.secondFactorRequiredRoles).toEqual(["admin"]);
});

test("lets a user on when it is required no longer", async ({ page, api, admin }) => {
  await requireOf(api, "admin");
  await page.clock.install();
  await page.goto("/login");
  await submitSignIn(page, admin);
  await expect(page.getByRole("heading", { name: "开启两步验证" })).toBeVisible();

  await requireOf(api);
  await page.clock.fastForward(30_000);

  await expect(page.getByRole("banner")).toBeVisible();
});

test("is reset for somebody who has lost it, on the user's page", async ({
  page,
  server,
  admin,
  signIn,
}) => {
  const own = await signInToApi(server.url, admin);
  await enableSecondFactor(own, now());
  await signIn(page, `/users/${admin.id}`);
  await expect(page.getByText("两步验证", { exact: true })).toBeVisible();

  await actOnUser(page, "李管理", "重置两步验证");
  await expectAccessible(page);
  await dialog(page).getByRole("button", { name: "重置两步验证" }).click();

  await expect(toast(page, "两步验证已重置")).toBeVisible();
  await expect(page.getByText("两步验证", { exact: true })).toHaveCount(0);
});
