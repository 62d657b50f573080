import type { BrowserContext, Page } from "@playwright/test";
import { assertOk } from "../harness/rest.ts";
import { ROOT_USER } from "../harness/root-user.ts";
import { signIn as signInToApi } from "../harness/server-fixture.ts";
import {
  countCalls,
  dialog,
  expectLive,
  fillUser,
  holdAnswers,
  PHONE,
  submitSignIn,
  toast,
  untilQuiet,
} from "./actions.ts";
import { allowErrors, expect, expectAccessible, test } from "./fixtures.ts";

test("names a wrong sign-in, keeps the username, and leads to the requested page", async ({
  page,
}) => {
  allowErrors(/401/);
  await page.goto("/hosts?search=web");
  await expect(page).toHaveURL(/\/login/);
  await expect(page).toHaveTitle(/多主机管理系统/);

  await page.getByRole("button", { name: "登录", exact: true }).click();
  await expect(page.getByText("用户名不能为空")).toBeVisible();
  await expect(page.getByText("密码不能为空")).toBeVisible();

  await submitSignIn(page, { ...ROOT_USER, password: "Wrong1Horse" });
  await expect(page.getByText("登录失败")).toBeVisible();
  await expect(page.getByRole("main").getByText("用户名或密码错误")).toBeVisible();
  await expect(page.getByLabel("用户名")).toHaveValue(ROOT_USER.username);

  await submitSignIn(page);
  await expect(page).toHaveURL(/\/hosts\?search=web/);
});

test("leaves nothing of one user for the next", async ({ page, context, signIn }) => {
  await signIn(page, "/users");
  await fillUser(page);
  await dialog(page).getByRole("button", { name: "创建" }).click();
  // Under the pointer a toast stays.
  await toast(page, "创建成功").hover();

  await signOutInNewTab(context);
  await expect(page).toHaveURL(/\/login/);
  await expect(toast(page, "创建成功")).toHaveCount(0);

  await page.goto("/dashboard");
  await expect(page).toHaveURL(/\/login/);
});

test("drops the answer to a user who has signed out", async ({ page, context, admin, signIn }) => {
  await signIn(page, "/users");
  const held = await holdAnswers(page, /users\.create/);
  await fillUser(page);
  await dialog(page).getByRole("button", { name: "创建" }).click();
  await held.answered;
  const aborted = page.waitForEvent("requestfailed", (request) =>
    request.url().includes("users.create"),
  );

  await submitSignIn(await signOutInNewTab(context), admin);
  await expect(page.getByRole("button", { name: /李管理/ })).toBeVisible();
  // The dashboard of the next user reads users as well, at first.
  await untilQuiet(page);
  const requests = countCalls(page, "users.list");
  await aborted;
  held.release();

  // By the time that the palette is open, the page has long dealt with the failure.
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("combobox")).toBeFocused();
  expect(await toast(page, "创建成功").count()).toBe(0);
  expect(requests()).toBe(0);
});

/** Signs out in a new tab of the same browser, which all tabs follow, and returns that tab. */
async function signOutInNewTab(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  await page.goto("/dashboard");
  await page.getByRole("button", { name: /^用户菜单/ }).click();
  await page.getByRole("menuitem", { name: "退出登录" }).click();
  await expect(page).toHaveURL(/\/login/);
  return page;
}

test("ends one session of another device, then all others", async ({
  page,
  server,
  signIn,
  openWindow,
}) => {
  const device = await openWindow();
  await device.goto("/login");
  await submitSignIn(device);
  await expect(device).toHaveURL(/\/dashboard/);
  const others = [await signInToApi(server.url), await signInToApi(server.url)];
  await signIn(page, "/account");
  await expect(page.getByText("当前会话")).toBeVisible();

  await page.getByRole("button", { name: /^退出 Chrome/ }).click();
  await expect(dialog(page)).toContainText("127.0.0.1");
  await expectAccessible(page);
  await dialog(page).getByRole("button", { name: "退出会话" }).click();
  await expect(page.getByRole("button", { name: /^退出 Chrome/ })).toHaveCount(0);
  await expect(device).toHaveURL(/\/login/);
  for (const other of others) await assertOk(other.get("/api/auth/me"));

  await page.getByRole("button", { name: "退出其他会话" }).click();
  await expect(dialog(page)).toContainText("2 个会话");
  await dialog(page).getByRole("button", { name: "退出其他会话" }).click();
  await expect(page.getByText("共 2 个会话已失效")).toBeVisible();
  await expect(page.getByText("没有其他会话")).toBeVisible();
  for (const other of others) expect((await other.get("/api/auth/me")).status).toBe(401);
});

/** Ends every other session, as a person does in the personal settings of another device. */
async function endOtherSessions(url: string): Promise<void> {
  await assertOk((await signInToApi(url)).delete("/api/auth/sessions"));
}

/** The window shows the sign-in, which leads back to the path. */
async function expectSessionOver(page: Page, path: string): Promise<void> {
  await expect(page).toHaveURL(`/login?${new URLSearchParams({ from: path })}`);
  await expect(page.getByText("认证失败，请重新登录")).toBeVisible();
}

test("redirects a revoked session to the sign-in at once, and back later", async ({
  page,
  server,
  signIn,
}) => {
  allowErrors(/401/);
  await signIn(page, "/users?search=root");
  await expectLive(page);

  await endOtherSessions(server.url);
  await expectSessionOver(page, "/users?search=root");

  await submitSignIn(page);
  await expect(page).toHaveURL("/users?search=root");
  await expect(page.getByText("1 人", { exact: true })).toBeVisible();
});

test("redirects a revoked session without a stream by its next call, and back later", async ({
  server,
  signIn,
  openWindow,
}) => {
  allowErrors(/401/);
  const phone = await openWindow(PHONE);
  // A network that lets no socket through: this window learns of its end by asking.
  await phone.routeWebSocket(/\/trpc/, () => undefined);
  await signIn(phone, "/system-config");
  const network = phone.getByRole("switch", { name: "向C端用户显示网络信息" });
  await expect(network).not.toBeChecked();
  // The switch must be the first that asks after the end.
  await untilQuiet(phone);

  await endOtherSessions(server.url);
  await network.click();
  await expectSessionOver(phone, "/system-config");

  await submitSignIn(phone);
  await expect(phone).toHaveURL("/system-config");
  await network.click();
  await expect(network).toBeChecked();
});
